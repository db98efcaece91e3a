import { textWithLink, type Draft } from '@carillon/core'
import type { PlatformInfo } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import type { PostFile } from '../state/compose-state.ts'
import { PreviewDocument } from './preview-document.tsx'
import { PreviewGallery } from './preview-gallery.tsx'
import { PreviewGrid } from './preview-grid.tsx'
import { PreviewLink } from './preview-link.tsx'
import { PreviewText } from './preview-text.tsx'
import { PreviewVertical } from './preview-vertical.tsx'

type PreviewPostProps = { draft: Draft; platform: PlatformInfo; files: readonly PostFile[] }

/** One post in the manner of its platform: where the text stands and folds, and how files are laid out. */
export function PreviewPost({ draft, platform, files }: PreviewPostProps) {
  const { t } = useTranslation('compose')
  const { family, foldAt } = platform.preview
  const text = textWithLink(draft, platform)
  const isVertical = draft.format === 'story' || draft.format === 'short_video' || family === 'vertical'
  const words = <PreviewText text={text} foldAt={foldAt} />
  if (files.length > 0 && isVertical) return <PreviewVertical files={files} text={draft.format === 'story' ? '' : text} />
  if (files.length > 0 && family === 'gallery') {
    return (
      <>
        <PreviewGallery files={files} />
        <div className="p-3">{words}</div>
      </>
    )
  }
  const hasCard = files.length === 0 && draft.linkUrl !== null && platform.can.linkUrl
  return (
    <div className="flex flex-col gap-3 pb-3">
      <div className="px-3">
        {draft.title !== null && platform.can.title && draft.type !== 'document' && <p className="font-medium">{draft.title}</p>}
        {text === '' && files.length === 0 ? <p className="text-sm text-faint">{t('preview.nothing')}</p> : words}
      </div>
      {draft.type === 'document' ? (
        <PreviewDocument files={files} title={draft.title} />
      ) : (
        <PreviewGrid files={files} isWide={family === 'feed'} />
      )}
      {hasCard && draft.linkUrl !== null && (
        <PreviewLink address={draft.linkUrl} title={platform.can.title ? draft.title : null} />
      )}
    </div>
  )
}
