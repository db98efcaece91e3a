import type { ContentFormat, MediaKind, PlatformRules } from '@carillon/contract'
import { countText } from './count-text.ts'
import { findLinks } from './links/find-links.ts'

export type DraftType = 'text' | 'photo' | 'video' | 'document'

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
  /** The texts of the further posts of a thread. */
  thread?: readonly { text: string }[] | null
  linkUrl: string | null
  /** Whether people are to be told that it was made with AI. */
  aiGenerated?: boolean
  medias: readonly DraftMedia[]
  /** The platform's own settings. */
  settings?: Record<string, unknown>
}

/**
 * The text that the platform receives, which is also the text that is counted. If the link has no field of its own in this post, it is
 * appended unless the text already has it.
 */
export function textWithLink(
  { format, text, linkUrl }: Pick<Draft, 'format' | 'text' | 'linkUrl'>,
  manifest: PlatformRules,
): string {
  if (!linkUrl || !isLinkInText(format, manifest) || hasLink(text, linkUrl)) return text
  const joined = text === '' ? linkUrl : `${text}\n\n${linkUrl}`
  const mustFit = format !== 'text' && manifest.linkWithMedia === 'text-if-it-fits'
  return mustFit && countText(joined, manifest.text) > (manifest.text.maxWithFiles ?? manifest.text.max) ? text : joined
}

/** Whether a text has this link already. */
export function hasLink(text: string, linkUrl: string): boolean {
  return findLinks(text).some((link) => link.text === linkUrl)
}

function isLinkInText(format: ContentFormat, { can, linkWithMedia }: PlatformRules): boolean {
  return format === 'text' ? !can.linkUrl : linkWithMedia === 'text' || linkWithMedia === 'text-if-it-fits'
}
