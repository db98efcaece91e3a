import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Tumblr takes videos of 500 MB. A file is sent by the request that publishes, and after a lost answer the post is in doubt for as long as that may
 * take, so Carillon sends no more than a slow connection carries in a quarter of an hour.
 */
export const filesBytesMax = 100_000_000

/** A paragraph may have 4,096 characters and a post 1,000 paragraphs. This is the most that Carillon sends. */
const textMax = 25_000

/**
 * The numbers of blocks and characters are those of npf-spec.md, the sizes and the limits of time those of api.md, both as of 2024-10-18, the last
 * change of the public documentation (read 2026-11-19). The kinds of images are those that all its programs take.
 */
export const manifest = {
  platform: 'tumblr',
  name: 'Tumblr',
  checkedOn: '2026-11-19',
  api: {
    version: 'v2',
    sunset: null,
    docs: [
      'https://github.com/tumblr/docs/blob/master/api.md',
      'https://github.com/tumblr/docs/blob/master/npf-spec.md',
      'https://www.tumblr.com/docs/en/api/v2',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  text: { ...noTextLimits, max: textMax, counting: 'codepoints', linksMax: 100, alone: true },
  photos: {
    ...noLimits,
    max: 30,
    bytesMax: 10_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif'],
  },
  video: { ...noLimits, max: 1, bytesMax: filesBytesMax, mimeTypes: ['video/mp4', 'video/quicktime'], secondsMax: 600 },
  document: null,
  filesBytesMax,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: ['image'], max: 4096 },
  title: { formats: ['text', 'photo', 'photo_carousel', 'video'], max: 4096 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: false, thread: false, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'text',
  // Tumblr reads the page itself.
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  // The day is a person's, for all blogs together; an app that Tumblr has not raised has the other two for all people together.
  rate: {
    perConnection: [{ count: 250, windowMs: dayMs }],
    perApp: [
      { count: 1000, windowMs: hourMs },
      { count: 5000, windowMs: dayMs },
    ],
  },
  metrics: { likes: 'total_likes', comments: 'total_replies', shares: 'total_reblogs' },
  followers: 'followers',
  primaryImpression: null,
} as const satisfies Manifest
