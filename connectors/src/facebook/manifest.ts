import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const dayMs = 86_400_000
/** Facebook takes BMP and TIFF too, which the library does not know. */
const photoTypes = ['image/jpeg', 'image/png', 'image/gif'] as const
const videoTypes = ['video/mp4', 'video/quicktime'] as const

/** Upright, as a phone films. The pages name 9 × 16 and no tolerance; this one allows for rounding. */
const upright = { widthMin: 540, ratioMin: 0.55, ratioMax: 0.575, fpsMin: 24, fpsMax: 60 } as const

export const manifest = {
  platform: 'facebook',
  name: 'Facebook',
  checkedOn: '2026-11-18',
  api: {
    version: 'v26.0',
    sunset: null,
    docs: [
      'https://developers.facebook.com/docs/pages-api/posts',
      'https://developers.facebook.com/docs/graph-api/reference/page/photos',
      'https://developers.facebook.com/docs/graph-api/reference/page/videos',
      'https://developers.facebook.com/docs/video-api/guides/reels-publishing',
      'https://developers.facebook.com/docs/page-stories-api',
      'https://developers.facebook.com/docs/graph-api/guides/error-handling',
      'https://developers.facebook.com/docs/pages-api/changelog',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'short_video', 'story'],
  text: {
    ...noTextLimits,
    // Meta names no number; this is the one that other programs use (postiz-app, docs.letmepost.dev, read 2026-11-18).
    max: 63_206,
    // The unit is not documented; this is the strictest interpretation.
    counting: 'utf16',
    alone: true,
  },
  // No number of photos is documented; other programs publish ten. The size is that of the pages about photos and stories of 2026-09.
  photos: { ...noLimits, max: 10, bytesMax: 10_000_000, mimeTypes: photoTypes },
  // "Resumable uploading supports videos that are up to 10GB and 4 hours long": docs/graph-api/video-uploads, an older page.
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 10_000_000_000,
    mimeTypes: videoTypes,
    secondsMin: 1,
    secondsMax: 14_400,
  },
  // The guide to reels. Another service documents up to 20 minutes (bundlesocial-docs, 2026-07-30); this is Meta's own number.
  shortVideo: { ...noLimits, ...upright, max: 1, mimeTypes: videoTypes, secondsMin: 3, secondsMax: 90 },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: {
    photos: { ...noLimits, max: 1, bytesMax: 10_000_000, mimeTypes: photoTypes },
    video: { ...noLimits, ...upright, max: 1, mimeTypes: videoTypes, secondsMin: 3, secondsMax: 60 },
    can: { firstComment: false, altText: false },
  },
  altText: { kinds: ['image'], max: null },
  // "Must be less than 255 characters": reference of the page's videos.
  title: { formats: ['video', 'short_video'], max: 254 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'text',
  // Facebook reads the page itself.
  linkCard: null,
  preview: { family: 'feed', foldAt: 477 },
  prices: null,
  // "4800 × the number of engaged users" a day: this is the limit of a page with one. Reels have a limit of 30 a day, which Facebook enforces.
  rate: { perConnection: [{ count: 4800, windowMs: dayMs }], perApp: [] },
  metrics: {
    likes: 'reactions',
    comments: 'comments',
    shares: 'shares',
    impressions: 'post_media_view',
    clicks: 'post_clicks',
  },
  primaryImpression: 'impressions',
} as const satisfies Manifest
