import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/**
 * WordPress limits neither texts nor numbers of files, and the size of a file is a setting of the server that it does not tell. These are the most
 * that Carillon sends to a site.
 */
const textMax = 25_000

export const manifest = {
  platform: 'wordpress',
  name: 'WordPress',
  checkedOn: '2026-11-18',
  api: {
    version: 'wp/v2',
    sunset: null,
    docs: [
      'https://developer.wordpress.org/rest-api/reference/posts/',
      'https://developer.wordpress.org/rest-api/reference/media/',
      'https://developer.wordpress.org/rest-api/reference/comments/',
      'https://developer.wordpress.org/rest-api/using-the-rest-api/authentication/',
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
  video: { ...noLimits, max: 1, bytesMax: 1_000_000_000, mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'] },
  document: { ...noLimits, max: 1, bytesMax: 100_000_000, mimeTypes: ['application/pdf'] },
  gif: null,
  mixedCarousel: true,
  story: null,
  altText: { kinds: ['image'], max: null },
  title: { formats: ['text', 'photo', 'photo_carousel', 'video', 'document'], max: null },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: true, linkUrl: false, remove: true, metrics: false },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  rate: { perConnection: [], perApp: [] },
  metrics: {},
  primaryImpression: null,
} as const satisfies Manifest
