import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const dayMs = 86_400_000

export const manifest = {
  platform: 'instagram',
  name: 'Instagram',
  checkedOn: '2026-11-14',
  api: {
    version: 'v26.0',
    sunset: null,
    docs: [
      'https://developers.facebook.com/docs/instagram-platform/content-publishing',
      'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
      'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes',
      'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/insights',
    ],
  },
  handle: 'reference',
  handleLastsMs: null,
  formats: ['photo', 'photo_carousel', 'short_video', 'video', 'story'],
  text: {
    ...noTextLimits,
    max: 2200,
    // The unit is not documented; this is the strictest interpretation.
    counting: 'utf16',
    hashtagsMax: 30,
    mentionsMax: 20,
    alone: false,
  },
  // The width has no limits: Instagram scales narrower and wider photos.
  photos: {
    ...noLimits,
    max: 10,
    bytesMax: 8_000_000,
    mimeTypes: ['image/jpeg'],
    ratioMin: 0.8,
    ratioMax: 1.91,
  },
  video: {
    ...noLimits,
    // A video alone. Those among the photos of a carousel count with the photos.
    max: 1,
    bytesMax: 300_000_000,
    mimeTypes: ['video/mp4', 'video/quicktime'],
    widthMax: 1920,
    ratioMin: 0.01,
    ratioMax: 10,
    secondsMin: 3,
    secondsMax: 900,
    fpsMin: 23,
    fpsMax: 60,
    bitsPerSecondMax: 25_000_000,
  },
  document: null,
  gif: null,
  mixedCarousel: true,
  story: {
    // The ratio has no limits: Instagram adds bars to a photo that does not fill the screen.
    photos: { ...noLimits, max: 1, bytesMax: 8_000_000, mimeTypes: ['image/jpeg'] },
    video: {
      ...noLimits,
      max: 1,
      bytesMax: 100_000_000,
      mimeTypes: ['video/mp4', 'video/quicktime'],
      widthMax: 1920,
      ratioMin: 0.1,
      ratioMax: 10,
      secondsMin: 3,
      secondsMax: 60,
      fpsMin: 23,
      fpsMax: 60,
      bitsPerSecondMax: 25_000_000,
    },
    can: { firstComment: false, altText: false },
  },
  altText: { kinds: ['image'], max: 1000 },
  title: null,
  coverSetting: 'coverSeconds',
  aiLabel: { setting: 'aiGenerated', formats: ['photo', 'photo_carousel', 'short_video', 'video'] },
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: false, linkUrl: false, remove: false, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'gallery', foldAt: 125 },
  prices: null,
  // One documentation page says 100 and another 50. Beyond the real limit, Instagram refuses and names the wait.
  rate: { perConnection: [{ count: 100, windowMs: dayMs }], perApp: [] },
  metrics: { likes: 'likes', comments: 'comments', shares: 'shares', saves: 'saved', impressions: 'views' },
  primaryImpression: 'impressions',
} as const satisfies Manifest
