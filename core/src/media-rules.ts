import type { ContentFormat, Manifest, MediaRules } from '@carillon/contract'
import type { MediaKind } from './draft.ts'

/** The rules a file is held to: a story's are its own. Null means that the platform takes none of this kind. */
export function mediaRules(
  kind: MediaKind,
  format: ContentFormat,
  { photos, video, document, story }: Manifest,
): MediaRules | null {
  if (format === 'story') return { image: story?.photos ?? null, video: story?.video ?? null, document: null }[kind]
  return { image: photos, video, document }[kind]
}
