import type { ContentFormat, PlatformRules, MediaRules } from '@carillon/contract'
import type { MediaKind } from './draft.ts'

/** The rules for one file. A story has rules of its own. Null means that the platform does not take this kind of media. */
export function mediaRules(
  kind: MediaKind,
  format: ContentFormat,
  { photos, video, document, story }: PlatformRules,
): MediaRules | null {
  if (format === 'story') return { image: story?.photos ?? null, video: story?.video ?? null, document: null }[kind]
  return { image: photos, video, document }[kind]
}
