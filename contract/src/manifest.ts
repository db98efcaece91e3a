import type { Platform } from './platforms.ts'

/** What kind of thing a post is, as `contentFormat` names it. */
export const contentFormats = ['text', 'photo', 'photo_carousel', 'story', 'video', 'short_video', 'document'] as const
export type ContentFormat = (typeof contentFormats)[number]

/**
 * What makes a send recognisable, so that a lost answer does not become a second post.
 * key: we choose an id and the platform deduplicates. reference: the platform issues an id before the irreversible step and it can be asked.
 * readback: recent posts can be listed and matched. none: nobody can tell.
 */
export type HandleKind = 'key' | 'reference' | 'readback' | 'none'

/** How a platform counts the characters of a text. */
export type Counting = 'graphemes' | 'twitter-weighted' | 'threads-emoji-bytes' | 'codepoints' | 'utf16' | 'utf8-bytes'

export type TextRules = {
  max: number
  counting: Counting
  /** What every link costs, whatever its length; null when a link counts as its characters. */
  linkCost: number | null
  /** A remote mention `@user@host` counts as `@user`. */
  shortMentions: boolean
  /** A second limit in UTF-8 bytes. */
  bytesMax: number | null
  /** How many different links one text may hold. */
  linksMax: number | null
  /** May a post be text alone? */
  alone: boolean
}

export type MediaRules = {
  /** How many of this kind one post takes. */
  max: number
  bytesMax: number | null
  mimeTypes: readonly string[]
  pixelsMax: number | null
  widthMin: number | null
  widthMax: number | null
  /** Width divided by height. */
  ratioMin: number | null
  ratioMax: number | null
  secondsMin: number | null
  secondsMax: number | null
  pagesMax: number | null
}

/** At most `count` publishing calls in a sliding window. */
export type Rate = { count: number; windowMs: number }

export type Metric = 'likes' | 'comments' | 'shares' | 'impressions' | 'clicks' | 'saves'

/** Everything true of a platform that is not code. Server, web, SDK and docs read this and nothing else. */
export type Manifest = {
  platform: Platform
  name: string
  /** The day a person last compared these facts with the platform's own pages. */
  checkedOn: string
  api: { version: string; sunset: string | null; docs: readonly string[] }
  handle: HandleKind
  /** How long the platform remembers a `key`; null when for ever, or when there is none. */
  handleLastsMs: number | null
  formats: readonly ContentFormat[]
  text: TextRules
  photos: MediaRules | null
  video: MediaRules | null
  document: MediaRules | null
  /** A story's own facts; null where the platform has none. */
  story: { photos: MediaRules | null; video: MediaRules | null } | null
  altTextMax: number | null
  /** `linkUrl`: there is a field for the link. Without one, the link is added to the text and counts there. */
  can: { firstComment: boolean; title: boolean; linkUrl: boolean; remove: boolean; metrics: boolean }
  /**
   * Where the link of a post with media goes, as few platforms have a field for it there.
   * text: at the end of the text. text-if-it-fits: the same, but left out where the text would become too long. omitted: it is left out.
   */
  linkWithMedia: 'text' | 'text-if-it-fits' | 'omitted'
  rate: { perConnection: readonly Rate[]; perApp: readonly Rate[] }
  /** Our metric → the platform's own name for it. Absent means the platform has no such figure. */
  metrics: Partial<Record<Metric, string>>
  primaryImpression: Metric | null
}
