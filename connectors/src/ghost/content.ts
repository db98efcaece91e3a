import type { Media } from '../kit/connector.ts'
import { escapeHtml, toParagraphs } from '../kit/html.ts'

/** A file of the post with its address on the site. */
export type PlacedFile = Pick<Media, 'kind' | 'name' | 'alt' | 'width' | 'height' | 'sizeBytes'> & { url: string }

const galleryMax = 9

/** HTML of which Ghost makes the cards of its editor: the files above the text. */
export function writeContent(text: string, files: readonly PlacedFile[], documentTitle: string | null): string {
  const images = files.filter(({ kind }) => kind === 'image')
  const others = files.filter(({ kind }) => kind !== 'image')
  return [
    ...imageCards(images),
    ...others.map((file) => (file.kind === 'video' ? videoCard(file) : fileCard(file, documentTitle ?? file.name))),
    ...toParagraphs(text),
  ].join('\n')
}

/** A gallery leaves out images whose size it is not told, and its editor takes nine. */
function imageCards(images: readonly PlacedFile[]): string[] {
  const isGallery = images.length > 1 && images.every(({ width, height }) => width !== null && height !== null)
  if (!isGallery) return images.map((file) => `<figure class="kg-card kg-image-card">${image(file)}</figure>`)
  const galleries: string[] = []
  for (let from = 0; from < images.length; from += galleryMax) {
    const inside = images.slice(from, from + galleryMax).map(image)
    galleries.push(`<figure class="kg-card kg-gallery-card">${inside.join('')}</figure>`)
  }
  return galleries
}

function image({ url, alt, ...file }: PlacedFile): string {
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"${sizeOf(file)}>`
}

function videoCard({ url, ...file }: PlacedFile): string {
  const video = `<video src="${escapeHtml(url)}"${sizeOf(file)}></video>`
  return `<figure class="kg-card kg-video-card"><div class="kg-video-container">${video}</div></figure>`
}

/** Its size is shown as it is written here, in one of the editor's own units. */
function fileCard({ url, name, sizeBytes }: PlacedFile, title: string): string {
  const titled = `<div class="kg-file-card-title">${escapeHtml(title)}</div>`
  const size = sizeBytes < 1_048_576 ? `${Math.ceil(sizeBytes / 1024)} KB` : `${Math.round(sizeBytes / 1_048_576)} MB`
  const details = `<div class="kg-file-card-filename">${escapeHtml(name)}</div><div class="kg-file-card-filesize">${size}</div>`
  const named = `<div class="kg-file-card-metadata">${details}</div>`
  const inside = `<div class="kg-file-card-contents">${titled}${named}</div>`
  return `<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="${escapeHtml(url)}">${inside}</a></div>`
}

function sizeOf({ width, height }: Pick<PlacedFile, 'width' | 'height'>): string {
  return width === null || height === null ? '' : ` width="${width}" height="${height}"`
}
