import type { Manifest } from '@carillon/contract'
import type { Draft } from './draft.ts'

/** One warning for each field that the platform does not support, so that nothing is dropped silently. */
export function draftWarnings(draft: Draft, manifest: Manifest): string[] {
  const { name, can, altTextMax } = manifest
  const warnings: string[] = []
  if (draft.title && !can.title) warnings.push(`${name} has no title; the title will be left out.`)
  if (draft.firstComment && !can.firstComment)
    warnings.push(`${name} takes no first comment; the first comment will be left out.`)
  if (altTextMax === null && draft.medias.some((media) => media.alt !== '')) {
    warnings.push(`${name} takes no alt text; the alt text will be left out.`)
  }
  if (draft.linkUrl && !can.linkUrl) warnings.push(`${name} has no field for a link; the link will follow the text.`)
  return warnings
}
