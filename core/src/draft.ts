import type { ContentFormat, Manifest } from '@carillon/contract'
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

/** The text as the platform receives it: where there is no field for the link, it follows the text, unless it is in there already. */
export function textWithLink({ text, linkUrl }: Pick<Draft, 'text' | 'linkUrl'>, manifest: Manifest): string {
  if (!linkUrl || manifest.can.linkUrl || findLinks(text).some((link) => link.text === linkUrl)) return text
  return text === '' ? linkUrl : `${text}\n\n${linkUrl}`
}
