import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/**
 * Texts, pictures of a carousel, permissions and calls are those of Pinterest's description of its API (v5/openapi.json 5.23.0 of 2025-12-11).
 * The limits of files are on no page that could be read: those of videos are what three other services enforce.
 */
export const manifest = {
  platform: 'pinterest',
  name: 'Pinterest',
  checkedOn: '2026-11-19',
  api: {
    version: 'v5',
    sunset: null,
    docs: [
      'https://github.com/pinterest/api-description/blob/main/v5/openapi.json',
      'https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/',
      'https://developers.pinterest.com/docs/key-concepts/access-tiers/',
      'https://developers.pinterest.com/docs/developer-tools/sandbox/',
      'https://developers.pinterest.com/docs/reference/rate-limits/',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['photo', 'photo_carousel', 'video'],
  text: { ...noTextLimits, max: 800, counting: 'codepoints', alone: false },
  // Pinterest takes 20 MB. They are part of the request that publishes, which must not last long.
  photos: { ...noLimits, max: 5, bytesMax: 10_000_000, mimeTypes: ['image/jpeg', 'image/png'] },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 2_000_000_000,
    mimeTypes: ['video/mp4', 'video/quicktime', 'video/x-m4v'],
    secondsMin: 4,
    secondsMax: 900,
  },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  // One for the whole pin: that of its first file.
  altText: { kinds: ['image', 'video'], max: 500 },
  title: { formats: ['photo', 'photo_carousel', 'video'], max: 100 },
  coverSetting: 'coverSeconds',
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: false, thread: false, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'field',
  linkCard: null,
  preview: { family: 'gallery', foldAt: null },
  prices: null,
  // Each person of an app may write 100 times a minute. A video is two calls.
  rate: { perConnection: [{ count: 50, windowMs: 60_000 }], perApp: [] },
  metrics: { likes: 'reaction', comments: 'comment', impressions: 'impression', clicks: 'clickthrough' },
  followers: 'follower_count',
  primaryImpression: 'impressions',
} as const satisfies Manifest
