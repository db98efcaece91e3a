import type { Media } from '../kit/connector.ts'
import { escapeHtml, toParagraphs } from '../kit/html.ts'

/** A file of the post with its place in the library of the site. */
type PlacedFile = Pick<Media, 'kind' | 'name' | 'alt'> & { id: number; url: string }

/** The blocks of a post, as the editor of WordPress writes them: the files above the text. */
export function writeContent(text: string, files: readonly PlacedFile[], documentTitle: string | null): string {
  const images = files.filter(({ kind }) => kind === 'image')
  const others = files.filter(({ kind }) => kind !== 'image')
  return [
    ...(images.length > 1 ? [gallery(images)] : images.map(image)),
    ...others.map((file) => (file.kind === 'video' ? video(file) : link(file, documentTitle ?? file.name))),
    ...toParagraphs(text).map((paragraph) => block('paragraph', {}, paragraph)),
  ].join('\n\n')
}

function gallery(images: readonly PlacedFile[]): string {
  const figures = images.map(image).join('\n\n')
  return block(
    'gallery',
    { linkTo: 'none' },
    `<figure class="wp-block-gallery has-nested-images columns-default is-cropped">${figures}</figure>`,
  )
}

/**
 * The alternative text of a file of the library. WordPress takes from it what looks like a tag, an escaped byte or a backslash, and shows entities
 * as what they stand for.
 */
export function writeAlt(alt: string): string {
  const ambiguous = /[<\\]|%(?=[\da-f]{2})|&(?=#?\w+;)/gi
  return alt.replaceAll(ambiguous, (character) => `&#${character.charCodeAt(0)};`)
}

function image({ id, url, alt }: PlacedFile): string {
  const picture = `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" class="wp-image-${id}"/>`
  return block(
    'image',
    { id, sizeSlug: 'full', linkDestination: 'none' },
    `<figure class="wp-block-image size-full">${picture}</figure>`,
  )
}

function video({ id, url }: PlacedFile): string {
  return block('video', { id }, `<figure class="wp-block-video"><video controls src="${escapeHtml(url)}"></video></figure>`)
}

function link({ id, url }: PlacedFile, title: string): string {
  const href = escapeHtml(url)
  return block('file', { id, href: url }, `<div class="wp-block-file"><a href="${href}">${escapeHtml(title)}</a></div>`)
}

/** Attributes are JSON in a comment, so nothing in them may end it. */
function block(name: string, attributes: Readonly<Record<string, string | number>>, html: string): string {
  const hasAttributes = Object.keys(attributes).length > 0
  const json = hasAttributes ? `${JSON.stringify(attributes).replaceAll('--', '\\u002d\\u002d').replaceAll('>', '\\u003e')} ` : ''
  return `<!-- wp:${name} ${json}-->\n${html}\n<!-- /wp:${name} -->`
}
