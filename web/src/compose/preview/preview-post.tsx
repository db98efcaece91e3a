import { type Draft, findLinks, textWithLink } from '@carillon/core'
import type { PlatformInfo } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link2, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentLinkCard } from '../../api/queries.gen.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { FilePicture } from '../files/file-picture.tsx'
import { videoAddress } from '../files/local-files.ts'
import type { PostFile } from '../state/compose-state.ts'
import { PreviewText } from './preview-text.tsx'

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

/** The first page of a document, its title and the number of its pages. */
function PreviewDocument({ files, title }: { files: readonly PostFile[]; title: string | null }) {
  const { t } = useTranslation('compose')
  const [file] = files
  if (!file) return null
  return (
    <div className="border-y border-line">
      <FilePicture isNamed file={file} className="aspect-[4/3]" />
      <div className="flex items-baseline justify-between gap-3 px-3 py-2 text-sm">
        <span className="min-w-0 truncate font-medium">{title ?? file.name}</span>
        {file.pages !== null && <span className="shrink-0 text-quiet">{t('preview.pages', { count: file.pages })}</span>}
      </div>
    </div>
  )
}

/** The whole screen of a phone, with the words above its lower edge. */
function PreviewVertical({ files, text }: { files: readonly PostFile[]; text: string }) {
  const [first] = files
  if (!first) return null
  return (
    <div className="relative mx-auto aspect-[9/16] w-full max-w-64 overflow-hidden rounded-t-card">
      {first.kind === 'video' ? (
        <PreviewVideo file={first} className="size-full" />
      ) : (
        <FilePicture isNamed file={first} className="size-full" />
      )}
      {text !== '' && (
        <p className="pointer-events-none absolute inset-x-0 bottom-12 line-clamp-3 bg-ink/70 p-2 text-sm break-words text-canvas">
          {text}
        </p>
      )}
    </div>
  )
}

/** Up to four photos as tiles; the fourth says how many more there are. A single photo or video keeps its whole width. */
function PreviewGrid({ files, isWide }: { files: readonly PostFile[]; isWide: boolean }) {
  const [first] = files
  if (!first) return null
  const shown = files.slice(0, 4)
  const frame = isWide ? '' : 'mx-3 overflow-hidden rounded-control'
  if (first.kind === 'video') return <PreviewVideo file={first} className={`aspect-video ${frame}`} />
  if (shown.length === 1) return <FilePicture isNamed file={first} className={`aspect-[4/3] ${frame}`} />
  return (
    <div className={`grid aspect-[4/3] grid-cols-2 gap-0.5 ${shown.length > 2 ? 'grid-rows-2' : ''} ${frame}`}>
      {shown.map((file, index) => (
        <div key={file.key} className={`relative min-h-0 ${shown.length === 3 && index === 0 ? 'row-span-2' : ''}`}>
          <FilePicture isNamed file={file} className="size-full" />
          {index === 3 && files.length > 4 && (
            <span className="figures absolute inset-0 flex items-center justify-center bg-ink/60 text-xl text-canvas">
              +{files.length - 4}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

/** Pictures first, one at a time: several are swiped sideways. */
function PreviewGallery({ files }: { files: readonly PostFile[] }) {
  const { t } = useTranslation('compose')
  return (
    <section
      aria-label={t('preview.swipe', { count: files.length })}
      // The scroller can be reached with the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={files.length > 1 ? 0 : -1}
      className="flex snap-x snap-mandatory overflow-x-auto"
    >
      {files.map((file, index) => (
        <div key={file.key} className="relative aspect-[4/5] w-full shrink-0 snap-center">
          {file.kind === 'video' ? (
            <PreviewVideo file={file} className="size-full" />
          ) : (
            <FilePicture isNamed file={file} className="size-full" />
          )}
          {files.length > 1 && (
            <span className="figures absolute top-2 right-2 rounded-full bg-ink/70 px-2 text-xs text-canvas">
              {index + 1}/{files.length}
            </span>
          )}
        </div>
      ))}
    </section>
  )
}

/** A video that was chosen in this page plays; one from the library shows its picture. */
function PreviewVideo({ file, className }: { file: PostFile; className: string }) {
  const address = videoAddress(file)
  if (address !== null) {
    // It is the person's own file, before it is published: there are no captions to offer yet.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return (
      <video
        src={address}
        controls
        muted
        playsInline
        className={`bg-sunken object-cover ${className}`}
        aria-label={file.alt || file.name}
      />
    )
  }
  return (
    <div className={`relative ${className}`}>
      <FilePicture isNamed file={file} className="size-full" />
      <span className="absolute inset-0 flex items-center justify-center">
        <span className="flex size-12 items-center justify-center rounded-full bg-ink/70 text-canvas">
          <Play aria-hidden />
        </span>
      </span>
    </div>
  )
}

/** The card that a link becomes, with what the page behind it says about itself. `title` is one that the author gives it. */
function PreviewLink({ address, title }: { address: string; title: string | null }) {
  const { id: workspaceId } = useWorkspace()
  const url = URL.canParse(address) ? new URL(address) : null
  const settled = useSettled(address)
  const isComplete = url !== null && url.hostname.includes('.') && settled === address
  const { data } = useQuery({ ...contentLinkCard(workspaceId, settled), enabled: isComplete, retry: false, staleTime: keptMs })
  const card = isComplete ? data : undefined
  const path = url ? `${url.pathname === '/' ? '' : url.pathname}${url.search}` : ''
  const heading = title ?? card?.title ?? null
  return (
    <div
      data-link-card={card ? 'loaded' : 'bare'}
      className={`mx-3 flex overflow-hidden rounded-control border border-line bg-surface text-sm ${card?.picture ? 'flex-col' : 'items-center gap-3'}`}
    >
      {card?.picture ? (
        <img src={card.picture} alt="" className="aspect-[1.91] w-full object-cover" />
      ) : (
        <span className="flex w-14 shrink-0 items-center justify-center self-stretch bg-bell-wash text-bell">
          <Link2 className="size-5" aria-hidden />
        </span>
      )}
      <div className={`min-w-0 py-2.5 ${card?.picture ? 'px-3' : 'pr-3'}`}>
        <p className="line-clamp-2 font-medium wrap-anywhere">{heading ?? url?.host ?? address}</p>
        {heading !== null && card?.description && <p className="line-clamp-2 text-quiet">{card.description}</p>}
        <p className="truncate text-quiet">{heading === null ? path : (url?.host ?? '')}</p>
      </div>
    </div>
  )
}

/** Pages seldom change while somebody writes about them. */
const keptMs = 300_000
/** An address that is being typed names another page at every key. */
const settledMs = 700

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
