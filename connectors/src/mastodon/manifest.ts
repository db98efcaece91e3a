import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const hourMs = 3_600_000

/** The limits of a server with default settings. An instance may allow more or less: `capabilities` reads its own. */
export const manifest = {
  platform: 'mastodon',
  name: 'Mastodon',
  checkedOn: '2026-11-14',
  api: {
    version: 'v1',
    sunset: null,
    docs: ['https://docs.joinmastodon.org/methods/statuses/', 'https://docs.joinmastodon.org/methods/media/'],
  },
  handle: 'key',
  handleLastsMs: hourMs,
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  text: {
    ...noTextLimits,
    max: 500,
    counting: 'graphemes',
    linkCost: 23,
    shortMentions: true,
    countedSettings: ['spoiler'],
    alone: true,
  },
  photos: {
    ...noLimits,
    max: 4,
    bytesMax: 16_777_216,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/heif', 'image/avif'],
    pixelsMax: 33_177_600,
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 103_809_024,
    mimeTypes: ['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/webm'],
    pixelsMax: 8_294_400,
    framesMax: 36_000,
    fpsMax: 120,
  },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: ['image', 'video'], max: 1500 },
  title: null,
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: false, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'microblog', foldAt: null },
  prices: null,
  rate: { perConnection: [{ count: 300, windowMs: 3 * hourMs }], perApp: [] },
  metrics: { likes: 'favourites_count', comments: 'replies_count', shares: 'reblogs_count' },
  followers: 'followers_count',
  primaryImpression: null,
} as const satisfies Manifest
