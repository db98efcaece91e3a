import type { ContentFormat, PlatformRules, MediaKind, MediaRules } from '@carillon/contract'

const gifType = 'image/gif'

/** A file, by what its rules depend on. The MIME type is the one that is published. */
export type FileKind = { kind: MediaKind; mimeType: string }

/**
 * The rules for one file. Stories, and short videos and GIFs on some platforms, have rules of their own. Null: the platform does not take this
 * kind.
 */
export function mediaRules({ kind, mimeType }: FileKind, format: ContentFormat, manifest: PlatformRules): MediaRules | null {
  const { photos, video, shortVideo, document, story, gif } = manifest
  if (format === 'story') return { image: story?.photos ?? null, video: story?.video ?? null, document: null }[kind]
  if (kind === 'image' && mimeType === gifType && gif) return gif
  if (kind === 'video' && format === 'short_video' && shortVideo) return shortVideo
  return { image: photos, video, document }[kind]
}

/** True for a GIF that the platform shows only if it is the one file of its post. */
export function mustBeAlone({ kind, mimeType }: FileKind, format: ContentFormat, { gif }: PlatformRules): boolean {
  return kind === 'image' && mimeType === gifType && format !== 'story' && gif !== null
}
