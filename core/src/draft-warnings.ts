import type { PlatformRules } from '@carillon/contract'
import type { Draft } from './draft.ts'
import type { DraftWarning } from './violation.ts'

/** One warning for each field that the platform does not support, so that nothing is dropped silently. */
export function draftWarnings(draft: Draft, rules: PlatformRules): DraftWarning[] {
  const { name, can, altTextMax } = rules
  const params = { platform: name }
  const warnings: DraftWarning[] = []
  if (draft.title && !can.title) {
    warnings.push({ code: 'title_left_out', path: 'title', message: `${name} has no title; the title will be left out.`, params })
  }
  if (draft.firstComment && !can.firstComment) {
    const message = `${name} takes no first comment; the first comment will be left out.`
    warnings.push({ code: 'first_comment_left_out', path: 'firstComment', message, params })
  }
  if (altTextMax === null && draft.medias.some((media) => media.alt !== '')) {
    const message = `${name} takes no alt text; the alt text will be left out.`
    warnings.push({ code: 'alt_text_left_out', path: 'medias', message, params })
  }
  if (draft.linkUrl && !can.linkUrl) {
    const message = `${name} has no field for a link; the link will follow the text.`
    warnings.push({ code: 'link_in_text', path: 'linkUrl', message, params })
  }
  return warnings
}
