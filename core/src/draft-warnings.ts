import type { PlatformRules } from '@carillon/contract'
import type { Draft } from './draft.ts'
import type { DraftWarning } from './violation.ts'

/** One warning for each field that the platform does not support, so that nothing is dropped silently, and for an audience of nobody. */
export function draftWarnings(draft: Draft, rules: PlatformRules): DraftWarning[] {
  const { name, can, audienceSetting = null } = rules
  const params = { platform: name }
  const warnings: DraftWarning[] = []
  if (draft.title && !showsTitle(draft, rules)) {
    const message = can.title
      ? `${name} shows no title here; the title will be left out.`
      : `${name} has no title; the title will be left out.`
    warnings.push({ code: 'title_left_out', path: 'title', message, params })
  }
  if (draft.firstComment && !canComment(draft, rules)) {
    const what = can.firstComment ? 'no first comment on a story' : 'no first comment'
    const message = `${name} takes ${what}; the first comment will be left out.`
    warnings.push({ code: 'first_comment_left_out', path: 'firstComment', message, params })
  }
  if (draft.medias.some((media) => media.alt !== '' && !takesAltText(media, draft, rules))) {
    const message = `${name} takes no alt text${altTextPlace(draft, rules)}; the alt text will be left out.`
    warnings.push({ code: 'alt_text_left_out', path: 'medias', message, params })
  }
  if (draft.linkUrl && !can.linkUrl) {
    const message = `${name} has no field for a link; the link will follow the text.`
    warnings.push({ code: 'link_in_text', path: 'linkUrl', message, params })
  }
  if (audienceSetting !== null && draft.settings?.[audienceSetting] === undefined) {
    const message = `On ${name} only you will see this post, because nobody chose who can see it.`
    warnings.push({ code: 'audience_unchosen', path: `settings.${audienceSetting}`, message, params })
  }
  return warnings
}

/** Whether a first comment can follow this post. */
export function canComment({ format }: Pick<Draft, 'format'>, { can, story }: PlatformRules): boolean {
  return can.firstComment && (format !== 'story' || story?.can.firstComment === true)
}

/** Whether the platform shows an alt text for this file. */
export function takesAltText(
  { kind }: Pick<Draft['medias'][number], 'kind'>,
  { format }: Pick<Draft, 'format'>,
  { altText, story }: PlatformRules,
): boolean {
  return altText.kinds.includes(kind) && (format !== 'story' || story?.can.altText === true)
}

function altTextPlace({ format, type }: Draft, { altText }: PlatformRules): string {
  if (altText.kinds.length === 0) return ''
  return format === 'story' ? ' on a story' : ` on a ${type}`
}

/** The title of a text post is the title of its link. */
function showsTitle({ format, linkUrl }: Draft, { title }: PlatformRules): boolean {
  return title !== null && title.formats.includes(format) && (format !== 'text' || linkUrl !== null)
}
