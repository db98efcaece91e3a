import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * The limits of a server with default settings, from the source of Pixelfed of 2024-03-10 (config/pixelfed.php, ApiV1Controller.php). A server may
 * allow more or less: `capabilities` reads its own. As it is installed it takes no videos.
 */
export const manifest = {
  platform: 'pixelfed',
  name: 'Pixelfed',
  checkedOn: '2026-11-19',
  api: {
    version: 'v1',
    sunset: null,
    docs: [
      'https://github.com/pixelfed/pixelfed/blob/dev/app/Http/Controllers/Api/ApiV1Controller.php',
      'https://github.com/pixelfed/pixelfed/blob/dev/config/pixelfed.php',
      'https://docs.pixelfed.org/technical-documentation/api/',
    ],
  },
  handle: 'reference',
  handleLastsMs: null,
  formats: ['photo', 'photo_carousel', 'video'],
  // What begins like a tag of HTML is removed, with all that follows.
  text: { ...noTextLimits, max: 500, counting: 'codepoints', alone: false, refused: ['<'] },
  photos: {
    ...noLimits,
    max: 4,
    bytesMax: 15_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/heic'],
  },
  video: { ...noLimits, max: 1, bytesMax: 15_000_000, mimeTypes: ['video/mp4'] },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: ['image', 'video'], max: 1000 },
  title: null,
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: false, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'gallery', foldAt: null },
  prices: null,
  rate: {
    perConnection: [
      { count: 60, windowMs: minuteMs },
      { count: 1000, windowMs: dayMs },
    ],
    perApp: [],
  },
  metrics: { likes: 'favourites_count', comments: 'replies_count', shares: 'reblogs_count' },
  primaryImpression: null,
} as const satisfies Manifest
