import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/**
 * Ghost takes a body of a thousand million characters, and the size of a file is a setting of the server in front of it, which it does
 * not tell. These are the most that Carillon sends to a site.
 */
const textMax = 25_000

/** The limits of titles and alternative texts are those of the tables `posts` and `posts_meta` of Ghost 6.65 (core/server/data/schema). */
export const manifest = {
  platform: 'ghost',
  name: 'Ghost',
  checkedOn: '2026-11-19',
  api: {
    version: 'v5.0',
    sunset: null,
    docs: [
      'https://docs.ghost.org/admin-api/',
      'https://docs.ghost.org/admin-api/posts/creating-a-post',
      'https://docs.ghost.org/admin-api/images/uploading-an-image',
      'https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/server/data/schema/schema.js',
      'https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/shared/config/overrides.json',
      'https://github.com/TryGhost/Ghost/blob/main/ghost/core/core/server/services/auth/api-key/admin.js',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  text: { ...noTextLimits, max: textMax, counting: 'codepoints', alone: true },
  photos: {
    ...noLimits,
    max: 20,
    bytesMax: 50_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  },
  // The types of `media` and `files` that people write with (core/shared/config/overrides.json).
  video: { ...noLimits, max: 1, bytesMax: 1_000_000_000, mimeTypes: ['video/mp4', 'video/webm'] },
  document: { ...noLimits, max: 1, bytesMax: 100_000_000, mimeTypes: ['application/pdf'] },
  gif: null,
  mixedCarousel: true,
  story: null,
  // Only the feature image has a limit, and any first image can be it.
  altText: { kinds: ['image'], max: 191 },
  title: { formats: ['text', 'photo', 'photo_carousel', 'video', 'document'], max: 255 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: false, thread: false, title: true, linkUrl: false, remove: true, metrics: false },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  rate: { perConnection: [], perApp: [] },
  metrics: {},
  primaryImpression: null,
} as const satisfies Manifest
