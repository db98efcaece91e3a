import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const minuteMs = 60_000

/** The limits of Lemmy 0.19.19, from its source. The number of posts is that of a new server, and so is the size of an image (its nginx). */
export const manifest = {
  platform: 'lemmy',
  name: 'Lemmy',
  checkedOn: '2026-11-19',
  api: {
    version: 'v3',
    sunset: null,
    docs: [
      'https://github.com/LemmyNet/lemmy/blob/0.19.19/src/api_routes_http.rs',
      'https://github.com/LemmyNet/lemmy/blob/0.19.19/crates/api_crud/src/post/create.rs',
      'https://github.com/LemmyNet/lemmy/blob/0.19.19/crates/utils/src/utils/validation.rs',
      'https://github.com/LemmyNet/lemmy/blob/0.19.19/crates/utils/src/error.rs',
      'https://github.com/LemmyNet/lemmy/blob/0.19.19/docker/nginx.conf',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo'],
  text: { ...noTextLimits, max: 50_000, counting: 'utf16', alone: true },
  photos: {
    ...noLimits,
    max: 1,
    bytesMax: 20_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
  },
  video: null,
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: ['image'], max: 1500 },
  title: { formats: ['text', 'photo'], max: 200 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  rate: { perConnection: [{ count: 6, windowMs: 10 * minuteMs }], perApp: [] },
  metrics: { likes: 'upvotes', comments: 'comments' },
  primaryImpression: null,
} as const satisfies Manifest
