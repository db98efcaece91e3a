import type { Platform } from './platforms.ts'

/** The kinds of posts, as the values of `contentFormat`. */
export const contentFormats = ['text', 'photo', 'photo_carousel', 'story', 'video', 'short_video', 'document'] as const
export type ContentFormat = (typeof contentFormats)[number]

/**
 * How a send can be recognised on the platform, so that a lost response does not lead to a second post.
 * key: we choose an id and the platform deduplicates by it.
 * reference: the platform issues an id before the irreversible step, and its state can be queried.
 * readback: recent posts can be listed and compared. none: the platform offers no way to find out.
 */
export type HandleKind = 'key' | 'reference' | 'readback' | 'none'

/** How a platform counts the characters of a text. */
export const countings = ['graphemes', 'twitter-weighted', 'threads-emoji-bytes', 'codepoints', 'utf16', 'utf8-bytes'] as const
export type Counting = (typeof countings)[number]

/**
 * Where the link of a post with media goes.
 * text: it is appended to the text. text-if-it-fits: the same, unless the text would become too long. omitted: it is left out. field: the
 * platform has a link field for such posts.
 */
export const linkPlaces = ['text', 'text-if-it-fits', 'omitted', 'field'] as const

/**
 * How a preview lays a post out. microblog: the text, then tiles; feed: the text, folded, then files in full width; gallery: files first, one
 * at a time; vertical: the whole screen of a phone.
 */
export const previewFamilies = ['microblog', 'feed', 'gallery', 'vertical'] as const

export type TextRules = {
  max: number
  /** The limit of a post with photos; null if it is `max` as well. */
  maxWithPhotos: number | null
  /** The limit of a post with files of any kind, where its text is a caption; null if it is `max` as well. */
  maxWithFiles: number | null
  counting: Counting
  /** The length that every link counts for, whatever its real length; null if its characters are counted. */
  linkCost: number | null
  /** A remote mention `@user@host` counts as `@user`. */
  shortMentions: boolean
  /** A second limit in UTF-8 bytes. */
  bytesMax: number | null
  /** The maximum number of different links in a text. */
  linksMax: number | null
  /** The maximum number of `#words`, `@names` and `$WORDS` in a text. */
  hashtagsMax: number | null
  mentionsMax: number | null
  cashtagsMax: number | null
  /** The settings whose text counts towards the length, such as a content warning. */
  countedSettings: readonly string[]
  /** Whether a post may consist of text only. */
  alone: boolean
  /** Characters that the platform refuses in a text and in a title; a comment may have them. Absent if there are none. */
  refused?: readonly string[]
}

export type MediaRules = {
  /** The maximum number of files of this kind in a post. */
  max: number
  bytesMin: number | null
  bytesMax: number | null
  mimeTypes: readonly string[]
  pixelsMax: number | null
  /** The limit on the pixels of all frames of an animation together. */
  framePixelsMax: number | null
  widthMin: number | null
  widthMax: number | null
  /** Limits on width and height alike. */
  sideMin: number | null
  sideMax: number | null
  /** The limit on the smaller one of width and height. */
  shortSideMax: number | null
  /** Width divided by height. */
  ratioMin: number | null
  ratioMax: number | null
  secondsMin: number | null
  secondsMax: number | null
  /** The frames of an animation or a video. */
  framesMax: number | null
  /** Frames per second. */
  fpsMin: number | null
  fpsMax: number | null
  /** The limit on the average bitrate of a video with its sound. */
  bitsPerSecondMax: number | null
  pagesMax: number | null
}

/** Media rules without any limit. A manifest spreads this and then states only the limits that the platform has. */
export const noLimits = {
  bytesMin: null,
  bytesMax: null,
  pixelsMax: null,
  framePixelsMax: null,
  widthMin: null,
  widthMax: null,
  sideMin: null,
  sideMax: null,
  shortSideMax: null,
  ratioMin: null,
  ratioMax: null,
  secondsMin: null,
  secondsMax: null,
  framesMax: null,
  fpsMin: null,
  fpsMax: null,
  bitsPerSecondMax: null,
  pagesMax: null,
} as const satisfies Partial<MediaRules>

/** The kinds of files, by what they show. */
export type MediaKind = 'image' | 'video' | 'document'

/**
 * The card that a platform shows for the link of a post, where it does not read the page itself: the limits of its texts in UTF-16 units, and
 * the rules for its picture.
 */
type LinkCardRules = { titleMax: number | null; descriptionMax: number | null; picture: MediaRules }

/** Two settings that the platform does not accept together: `setting` with the value `value`, and `other` with one of `others`. */
type SettingConflict = {
  setting: string
  value: unknown
  other: string
  /** Null stands for a setting that is not given. */
  others: readonly unknown[]
  message: string
}

type Disclosure = { setting: string; kinds: readonly string[] }

/**
 * A post with this value of the setting is put into the app of the platform, where a person finishes it within so many hours. Everything else
 * is chosen there, so the other settings do not count. The app accepts no more than `waitingMax` unfinished posts of an account in a day.
 */
export type Handover = { setting: string; value: string; hours: number; waitingMax: number }

/**
 * The length of a list of words, with the characters that the platform counts between two of them, and those that it adds to a word with a space
 * in it.
 */
type ListLimit = { setting: string; max: number; between: number; forSpaces: number }

/**
 * What the platform charges the operator's app, in US dollars: for each post, for one with a link in it, for the alt text of each file, and for
 * reading the figures of one post once.
 */
type Prices = {
  checkedOn: string
  source: string
  post: number
  postWithLink: number
  altText: number
  figures: number
  /** The most that any other call costs. */
  otherCall: number
}

/** A rate limit: at most `count` publishing calls in a sliding window. */
export type Rate = { count: number; windowMs: number }

export type Metric = 'likes' | 'comments' | 'shares' | 'impressions' | 'clicks' | 'saves'

/** The facts about a platform. Server, web and docs get them only from here. */
export type Manifest = {
  platform: Platform
  name: string
  /** What other programs still call the platform, in small letters. */
  alsoCalled?: readonly string[]
  /** For platforms whose chats can be told what happens: an example of the address that a person copies there. */
  chat?: { address: string }
  /** The date on which these facts were last compared with the platform's documentation. */
  checkedOn: string
  api: { version: string; sunset: string | null; docs: readonly string[] }
  handle: HandleKind
  /** How long the platform remembers a `key`; null if it does so forever, or if there is no key. */
  handleLastsMs: number | null
  formats: readonly ContentFormat[]
  text: TextRules
  photos: MediaRules | null
  video: MediaRules | null
  /** The rules for a short video where they are others than those for a video; absent if they are the same. */
  shortVideo?: MediaRules
  document: MediaRules | null
  /** The rules for a GIF where it is not a photo among others: it is then the only file of its post. Null if the rules for photos apply. */
  gif: MediaRules | null
  /** Whether a post with several photos may have videos among them. */
  mixedCarousel: boolean
  /** The rules for stories, and what a story can have; null if the platform has no stories. */
  story: { photos: MediaRules | null; video: MediaRules | null; can: { firstComment: boolean; altText: boolean } } | null
  /** The kinds of files that can have alt text (none if empty), and its limit in Unicode characters; `max` is null if there is no limit. */
  altText: { kinds: readonly MediaKind[]; max: number | null }
  /**
   * The formats in which a title is shown, and its limit in UTF-16 units. `ofLink`: a text post has no title of its own, only its link has
   * one. Null if the platform has no titles.
   */
  title: { formats: readonly ContentFormat[]; max: number | null; ofLink?: boolean } | null
  /** The setting that names a moment of the video in seconds, for its cover. */
  coverSetting: string | null
  /** The setting that labels a post as made with AI, and the formats that have the label; null if the platform has none. */
  aiLabel: { setting: string; formats: readonly ContentFormat[] } | null
  /** The setting for who can see the post, where nobody but the author can if it is not chosen. */
  audienceSetting: string | null
  settingConflicts: readonly SettingConflict[]
  /** The setting that says a post is advertising, and those that say for whom: at least one of these. Absent if the platform has none. */
  disclosure?: Disclosure
  /** Absent if the platform publishes every post by itself. */
  handover?: Handover
  /** The settings that are lists of words with a common limit. Absent if there are none. */
  listLimits?: readonly ListLimit[]
  /** The limit on all files of a post together; absent if there is none. */
  filesBytesMax?: number
  /** If `linkUrl` is false, there is no link field: the link is appended to the text and counts as part of it. */
  can: { firstComment: boolean; thread: boolean; title: boolean; linkUrl: boolean; remove: boolean; metrics: boolean }
  linkWithMedia: (typeof linkPlaces)[number]
  /** Null if the platform has no cards, or makes them itself. */
  linkCard: LinkCardRules | null
  /** For previews. `foldAt` is the number of characters after which the text is hidden behind a "more"; null if it is not. */
  preview: { family: (typeof previewFamilies)[number]; foldAt: number | null }
  /** Null if the platform charges nothing. */
  prices: Prices | null
  rate: { perConnection: readonly Rate[]; perApp: readonly Rate[] }
  /** The platform's own name for each of our metrics. A metric that is absent does not exist on the platform. */
  metrics: Partial<Record<Metric, string>>
  primaryImpression: Metric | null
  /** The platform's own name for the number of an account's followers. Absent if it does not tell it, or charges for it. */
  followers?: string
}

/**
 * How one account differs from what the manifest of its platform says: its server has other limits, its owner pays for more, or its kind is
 * offered less. What is absent is as in the manifest.
 */
export type AccountRules = {
  formats?: readonly ContentFormat[]
  text?: Partial<Pick<TextRules, 'max' | 'counting' | 'linkCost' | 'shortMentions' | 'alone'>>
  photos?: Partial<Pick<MediaRules, 'max' | 'bytesMax' | 'mimeTypes' | 'pixelsMax'>>
  video?: Partial<Pick<MediaRules, 'bytesMax' | 'mimeTypes' | 'pixelsMax' | 'secondsMax' | 'fpsMax'>>
  altTextMax?: number
  /** How a repeated send is recognised, if not as on other servers of the platform. */
  handle?: HandleKind
  can?: Partial<Pick<Manifest['can'], 'firstComment' | 'thread'>>
  choices?: SettingChoices
  /** Settings that a post of this account must have: it has several of what they name, and none of these is meant without a choice. */
  needs?: readonly string[]
}

/** By setting: the values that the account may choose. A setting that is not named has all values of its schema. */
export type SettingChoices = Readonly<Record<string, readonly (string | boolean)[]>>

/** The facts that decide whether a post fits a platform. `GET /platforms` has them all, so a client can check a draft itself. */
export type PlatformRules = Pick<
  Manifest,
  'name' | 'formats' | 'text' | 'photos' | 'video' | 'document' | 'story' | 'gif' | 'altText' | 'title' | 'can' | 'linkWithMedia'
> &
  // The server knows these; they are about settings that few posts have.
  Partial<Pick<Manifest, 'settingConflicts' | 'coverSetting' | 'audienceSetting' | 'aiLabel' | 'mixedCarousel'>> & {
    /** Null or absent if the platform has none. */
    disclosure?: Disclosure | null
    /** Null or absent if the platform publishes every post by itself. */
    handover?: Handover | null
    listLimits?: readonly ListLimit[]
    /** Null or absent if the platform has none. */
    filesBytesMax?: number | null
    /** Null or absent if the rules for a video apply. */
    shortVideo?: MediaRules | null
    /** Set for an account that may choose less than its platform has. */
    choices?: SettingChoices
    /** Settings that a post of this account must have. */
    needs?: readonly string[]
  }
