import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const hourMs = 3_600_000

export const manifest = {
  platform: 'bluesky',
  name: 'Bluesky',
  checkedOn: '2026-11-17',
  api: {
    version: 'xrpc',
    sunset: null,
    docs: [
      'https://docs.bsky.app/docs/advanced-guides/posts',
      'https://docs.bsky.app/docs/tutorials/video',
      'https://github.com/bluesky-social/atproto/tree/main/lexicons',
    ],
  },
  handle: 'key',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  text: { ...noTextLimits, max: 300, counting: 'graphemes', bytesMax: 3000, alone: true },
  photos: {
    ...noLimits,
    // The lexicon of galleries has 20, and asks clients to stop at 10.
    max: 10,
    bytesMax: 2_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 300_000_000,
    mimeTypes: ['video/mp4'],
    secondsMax: 180,
  },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: ['image', 'video'], max: null },
  title: null,
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: false, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'omitted',
  linkCard: {
    // The lexicon limits neither text. A client shows a few lines of them.
    titleMax: 300,
    descriptionMax: 1000,
    picture: { ...noLimits, max: 1, bytesMax: 1_000_000, mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] },
  },
  preview: { family: 'microblog', foldAt: null },
  prices: null,
  // The limits are 5,000 points an hour and 35,000 a day; a new record costs 3 points.
  rate: {
    perConnection: [
      { count: 1666, windowMs: hourMs },
      { count: 11_666, windowMs: 24 * hourMs },
    ],
    perApp: [],
  },
  metrics: { likes: 'likeCount', comments: 'replyCount', shares: 'repostCount', saves: 'bookmarkCount' },
  followers: 'followersCount',
  primaryImpression: null,
} as const satisfies Manifest
