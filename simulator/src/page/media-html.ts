import type { Media } from '../state/entities.ts'
import { markup, type Markup } from '../text/markup.ts'

type Options = {
  /** Show the alternative texts below, as on the page of a post. */
  showAlt?: boolean
}

/** Photos as a grid, a video with a player, a document as a link. */
export function mediaHtml(platform: string, media: readonly Media[], { showAlt = false }: Options = {}): Markup | undefined {
  if (media.length === 0) return undefined
  const items = media.map((one) => itemHtml(platform, one, showAlt))
  return markup`<div class="media media-${Math.min(media.length, 5)}">${items}</div>`
}

function itemHtml(platform: string, media: Media, showAlt: boolean): Markup {
  const { id, mime, alt, bytes } = media
  const source = `/media/${platform}/${encodeURIComponent(id)}`
  const caption = showAlt && alt !== '' && markup`<figcaption><b>Alt</b> ${alt}</figcaption>`
  if (!bytes) {
    const reason = 'The simulator did not keep this file, because it is large.'
    return markup`<div class="file"><b>${nameOf(mime)}</b> ${sizeOf(media)}<small>${reason}</small></div>`
  }
  if (mime.startsWith('image/'))
    return markup`<figure><a href="${source}"><img src="${source}" alt="${alt}" loading="lazy"></a>${caption}</figure>`
  if (mime.startsWith('video/')) {
    const label = alt === '' ? 'Video' : alt
    return markup`<figure><video src="${source}" controls muted playsinline preload="metadata" aria-label="${label}"></video>${caption}</figure>`
  }
  // Only images have an alternative text; a document has its title there.
  const title = alt === '' ? 'Document' : alt
  return markup`<a class="file" href="${source}"><b>${nameOf(mime)}</b> ${title}<small>${sizeOf(media)}</small></a>`
}

function nameOf(mime: string): string {
  if (mime.startsWith('video/')) return 'Video'
  if (mime.startsWith('image/')) return 'Photo'
  return mime === 'application/pdf' ? 'PDF' : 'File'
}

export function sizeOf({ sizeBytes }: Pick<Media, 'sizeBytes'>): string {
  if (sizeBytes < 1000) return `${sizeBytes} bytes`
  return sizeBytes < 1_000_000 ? `${Math.round(sizeBytes / 1000)} kB` : `${(sizeBytes / 1_000_000).toFixed(1)} MB`
}
