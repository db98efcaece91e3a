import type { Manifest } from '@carillon/contract'
import type { Draft } from './draft.ts'

/** One warning for each field that the platform does not support, so that nothing is dropped silently. */
export function draftWarnings(draft: Draft, manifest: Manifest): string[] {
  const { name, can } = manifest
  const warnings: string[] = []
  if (draft.title && !can.title) warnings.push(`${name} has no title; the title will be left out.`)
  else if (draft.title && !showsTitle(draft, manifest)) warnings.push(`${name} shows no title here; the title will be left out.`)
  if (draft.firstComment && !canComment(draft, manifest)) {
    const what = can.firstComment ? 'no first comment on a story' : 'no first comment'
    warnings.push(`${name} takes ${what}; the first comment will be left out.`)
  }
  if (draft.medias.some((media) => media.alt !== '' && !takesAltText(media, draft, manifest))) {
    warnings.push(`${name} takes no alt text${altTextPlace(draft, manifest)}; the alt text will be left out.`)
  }
  if (draft.linkUrl && !can.linkUrl) warnings.push(`${name} has no field for a link; the link will follow the text.`)
  return warnings
}

/** Whether a first comment can follow this post. */
export function canComment({ format }: Pick<Draft, 'format'>, { can, story }: Manifest): boolean {
  return can.firstComment && (format !== 'story' || story?.can.firstComment === true)
}

/** Whether the platform shows an alt text for this file. */
export function takesAltText(
  { kind }: Pick<Draft['medias'][number], 'kind'>,
  { format }: Pick<Draft, 'format'>,
  { altText, story }: Manifest,
): boolean {
  return altText.kinds.includes(kind) && (format !== 'story' || story?.can.altText === true)
}

function altTextPlace({ format, type }: Draft, { altText }: Manifest): string {
  if (altText.kinds.length === 0) return ''
  return format === 'story' ? ' on a story' : ` on a ${type}`
}

/** The title of a text post is the title of its link. */
function showsTitle({ format, linkUrl }: Draft, { title }: Manifest): boolean {
  return title !== null && title.formats.includes(format) && (format !== 'text' || linkUrl !== null)
}
