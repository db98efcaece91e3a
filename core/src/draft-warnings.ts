import { writeWarning, type PlatformRules } from '@carillon/contract'
import { isHandedOver } from './check-settings.ts'
import { hasLink, type Draft } from './draft.ts'
import type { DraftWarning } from './violation.ts'

/**
 * One warning for each field that the platform does not support, so that nothing is dropped silently; for an audience of nobody; and for a post
 * that a person has to finish.
 */
export function draftWarnings(draft: Draft, rules: PlatformRules): DraftWarning[] {
  const { name, can, audienceSetting = null, handover = null } = rules
  const params = { platform: name }
  const warnings: DraftWarning[] = []
  if (draft.title && !showsTitle(draft, rules)) {
    const message = writeWarning(can.title ? 'title_not_shown' : 'title_left_out', params)
    warnings.push({ code: 'title_left_out', path: 'title', message, params })
  }
  if (draft.firstComment && !canComment(draft, rules)) {
    const message = writeWarning(can.firstComment ? 'first_comment_not_on_story' : 'first_comment_left_out', params)
    warnings.push({ code: 'first_comment_left_out', path: 'firstComment', message, params })
  }
  if (draft.medias.some((media) => media.alt !== '' && !takesAltText(media, draft, rules))) {
    const message = altTextWarning(draft, rules)
    warnings.push({ code: 'alt_text_left_out', path: 'medias', message, params })
  }
  if (draft.linkUrl && !can.linkUrl && !hasLink(draft.text, draft.linkUrl)) {
    const message = writeWarning('link_in_text', params)
    warnings.push({ code: 'link_in_text', path: 'linkUrl', message, params })
  }
  if (draft.aiGenerated && !hasAiLabel(draft, rules)) {
    const message = writeWarning(rules.aiLabel ? 'ai_label_not_on_format' : 'ai_label_left_out', params)
    warnings.push({ code: 'ai_label_left_out', path: 'aiGenerated', message, params })
  }
  if (handover !== null && isHandedOver(draft.settings, handover)) {
    const said = { ...params, hours: String(handover.hours), max: String(handover.waitingMax) }
    const message = writeWarning('handed_over', said)
    warnings.push({ code: 'handed_over', path: `settings.${handover.setting}`, message, params: said })
  } else if (audienceSetting !== null && draft.settings?.[audienceSetting] === undefined) {
    const message = writeWarning('audience_unchosen', params)
    warnings.push({ code: 'audience_unchosen', path: `settings.${audienceSetting}`, message, params })
  }
  return warnings
}

/** Whether the platform can tell people that this post was made with AI. */
export function hasAiLabel({ format }: Pick<Draft, 'format'>, { aiLabel = null }: Pick<PlatformRules, 'aiLabel'>): boolean {
  return aiLabel?.formats.includes(format) ?? false
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

function altTextWarning({ format, type }: Draft, { name, altText }: PlatformRules): string {
  const params = { platform: name, kind: type }
  if (altText.kinds.length === 0) return writeWarning('alt_text_left_out', params)
  return writeWarning(format === 'story' ? 'alt_text_not_on_story' : 'alt_text_not_on_kind', params)
}

function showsTitle({ format, linkUrl }: Draft, { title }: PlatformRules): boolean {
  if (title === null || !title.formats.includes(format)) return false
  return format !== 'text' || title.ofLink !== true || linkUrl !== null
}
