import type { ContentFormat, Manifest } from '@carillon/contract'
import { countText } from './count-text.ts'
import { findLinks } from './find-links.ts'

export type DraftType = 'text' | 'photo' | 'video' | 'document'

export type MediaKind = 'image' | 'video' | 'document'

/** What is known of a media file; a measure that could not be read is null and is not judged. */
export type DraftMedia = {
  kind: MediaKind
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  pages: number | null
  alt: string
}

/** A post as it would go to one connection, with that connection's own options already applied. */
export type Draft = {
  type: DraftType
  format: ContentFormat
  text: string
  title: string | null
  firstComment: string | null
  linkUrl: string | null
  medias: readonly DraftMedia[]
}

/**
 * The text as the platform receives it, which is also the text that is counted. The link follows the text where it has no field of its
 * own, unless the text already holds it.
 */
export function textWithLink({ format, text, linkUrl }: Pick<Draft, 'format' | 'text' | 'linkUrl'>, manifest: Manifest): string {
  if (!linkUrl || !isLinkInText(format, manifest) || findLinks(text).some((link) => link.text === linkUrl)) return text
  const joined = text === '' ? linkUrl : `${text}\n\n${linkUrl}`
  const mustFit = format !== 'text' && manifest.linkWithMedia === 'text-if-it-fits'
  return mustFit && countText(joined, manifest.text) > manifest.text.max ? text : joined
}

function isLinkInText(format: ContentFormat, { can, linkWithMedia }: Manifest): boolean {
  return format === 'text' ? !can.linkUrl : linkWithMedia !== 'omitted'
}
