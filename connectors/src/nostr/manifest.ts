import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/** The protocol has no limits: each relay and each media server has its own. These are what the usual ones take. */
export const manifest = {
  platform: 'nostr',
  name: 'Nostr',
  checkedOn: '2026-11-19',
  api: {
    version: 'NIP-01',
    sunset: null,
    docs: [
      'https://github.com/nostr-protocol/nips/blob/master/01.md',
      'https://github.com/nostr-protocol/nips/blob/master/10.md',
      'https://github.com/nostr-protocol/nips/blob/master/42.md',
      'https://github.com/nostr-protocol/nips/blob/master/92.md',
      'https://github.com/hzrd149/blossom/blob/master/buds/02.md',
    ],
  },
  handle: 'key',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  // The usual relay takes events of 65,536 bytes, as JSON: a line break and a quotation mark have two bytes there, and tags need room.
  text: { ...noTextLimits, max: 30_000, counting: 'utf8-bytes', alone: true },
  photos: {
    ...noLimits,
    max: 10,
    bytesMax: 20_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
  },
  video: { ...noLimits, max: 1, bytesMax: 100_000_000, mimeTypes: ['video/mp4', 'video/webm', 'video/quicktime'] },
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
  can: { firstComment: true, thread: true, title: false, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'microblog', foldAt: null },
  prices: null,
  rate: { perConnection: [], perApp: [] },
  metrics: { likes: 'reactions', comments: 'replies', shares: 'reposts' },
  primaryImpression: null,
} as const satisfies Manifest
