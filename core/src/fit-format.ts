import { writeWarning, type ContentFormat, type PlatformRules } from '@carillon/contract'
import type { DraftType } from './draft.ts'
import type { DraftWarning } from './violation.ts'

/** The formats that a type of post can have. */
export const formatsByType: Readonly<Record<DraftType, readonly ContentFormat[]>> = {
  text: ['text'],
  photo: ['photo', 'photo_carousel', 'story'],
  video: ['video', 'short_video', 'story'],
  document: ['document'],
}

/** The formats that show the same content, the nearest one first. */
const nearest: Readonly<Record<ContentFormat, readonly ContentFormat[]>> = {
  text: [],
  photo: ['photo_carousel'],
  photo_carousel: ['photo'],
  story: ['photo', 'photo_carousel', 'short_video', 'video'],
  video: ['short_video'],
  short_video: ['video'],
  document: [],
}

const nouns: Readonly<Record<ContentFormat, { one: string; many: string }>> = {
  text: { one: 'text', many: 'texts' },
  photo: { one: 'photo', many: 'photos' },
  photo_carousel: { one: 'photo carousel', many: 'photo carousels' },
  story: { one: 'story', many: 'stories' },
  video: { one: 'video', many: 'videos' },
  short_video: { one: 'short video', many: 'short videos' },
  document: { one: 'document', many: 'documents' },
}

/**
 * The format in which the platform publishes a post: the one that was chosen, or the nearest one that the platform has. If no other format
 * shows the same content, the chosen one is returned and `checkDraft` refuses it.
 */
export function fitFormat(
  { type, format }: { type: DraftType; format: ContentFormat },
  { formats }: PlatformRules,
): ContentFormat {
  if (formats.includes(format)) return format
  return nearest[format].find((other) => formatsByType[type].includes(other) && formats.includes(other)) ?? format
}

/** Reports that a post is published in another format than the chosen one. */
export function formatWarnings(chosen: ContentFormat, used: ContentFormat, { name }: PlatformRules): DraftWarning[] {
  if (chosen === used) return []
  const message = writeWarning('format_changed', { platform: name, chosen: nouns[chosen].many, used: nouns[used].one })
  return [{ code: 'format_changed', path: 'contentFormat', message, params: { platform: name, chosen, used } }]
}
