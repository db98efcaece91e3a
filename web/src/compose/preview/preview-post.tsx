import { findLinks, textWithLink, type Draft } from '@carillon/core'
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
  const card = files.length === 0 ? cardOf(draft, platform, text) : null
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
      {card !== null && <PreviewLink address={card} title={platform.can.title ? draft.title : null} />}
    </div>
  )
}

/** The link that becomes a card: the one of the link field where there is one. Others make it of the first link in the text. */
function cardOf({ linkUrl }: Draft, { can, preview: { family } }: PlatformInfo, text: string): string | null {
  if (can.linkUrl) return linkUrl
  const [first] = family === 'microblog' || family === 'feed' ? findLinks(text, { bare: true }) : []
  if (!first) return null
  const address = text.slice(first.start, first.end)
  return /^https?:/i.test(address) ? address : `https://${address}`
}
