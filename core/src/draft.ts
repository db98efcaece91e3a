import type { ContentFormat, Manifest } from '@carillon/contract'
import { findLinks } from './find-links.ts'

export type DraftType = 'text' | 'photo' | 'video' | 'document'

export type MediaKind = 'image' | 'video' | 'document'

/** The properties of a media file. A property that could not be read is null and is not checked. */
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

/** A post as one connection would publish it, with the options of that connection already applied. */
export type Draft = {
  type: DraftType
  format: ContentFormat
  text: string
  title: string | null
  firstComment: string | null
  linkUrl: string | null
  medias: readonly DraftMedia[]
}

/** The text that the platform receives. If the platform has no link field, the link is appended unless the text already has it. */
export function textWithLink({ text, linkUrl }: Pick<Draft, 'text' | 'linkUrl'>, manifest: Manifest): string {
  if (!linkUrl || manifest.can.linkUrl || findLinks(text).some((link) => link.text === linkUrl)) return text
  return text === '' ? linkUrl : `${text}\n\n${linkUrl}`
}
