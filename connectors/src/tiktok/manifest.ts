import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const minuteMs = 60_000

export const manifest = {
  platform: 'tiktok',
  name: 'TikTok',
  checkedOn: '2026-11-14',
  api: {
    version: 'v2',
    sunset: null,
    docs: [
      'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post',
      'https://developers.tiktok.com/doc/content-posting-api-reference-photo-post',
      'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide',
      'https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status',
      'https://developers.tiktok.com/doc/content-sharing-guidelines/',
      'https://developers.tiktok.com/doc/tiktok-api-v2-error-handling',
    ],
  },
  handle: 'reference',
  handleLastsMs: null,
  formats: ['video', 'short_video', 'photo', 'photo_carousel'],
  text: {
    ...noTextLimits,
    max: 2200,
    maxWithPhotos: 4000,
    counting: 'utf16',
    alone: false,
  },
  photos: {
    ...noLimits,
    max: 35,
    bytesMax: 20_000_000,
    mimeTypes: ['image/jpeg', 'image/webp'],
    // TikTok writes "1080p", which is this size in either orientation.
    sideMax: 1920,
    shortSideMax: 1080,
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 4_000_000_000,
    mimeTypes: ['video/mp4', 'video/webm', 'video/quicktime'],
    sideMin: 360,
    sideMax: 4096,
    fpsMin: 23,
    fpsMax: 60,
    // Some accounts are allowed less, which staging checks.
    secondsMax: 600,
  },
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: [], max: null },
  // The title that TikTok calls so in a video post is its text.
  title: { formats: ['photo', 'photo_carousel'], max: 90 },
  coverSetting: 'coverSeconds',
  aiLabel: { setting: 'aiGenerated', formats: ['video', 'short_video'] },
  audienceSetting: 'privacyLevel',
  settingConflicts: [
    {
      setting: 'brandedContent',
      value: true,
      other: 'privacyLevel',
      others: ['SELF_ONLY', null],
      message: 'Branded content visibility cannot be set to private; choose who can see the post.',
    },
  ],
  handover: { setting: 'delivery', value: 'inbox', hours: 24, waitingMax: 5 },
  disclosure: { setting: 'contentDisclosure', kinds: ['yourBrand', 'brandedContent'] },
  can: { firstComment: false, thread: false, title: true, linkUrl: false, remove: false, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'vertical', foldAt: null },
  prices: null,
  rate: {
    perConnection: [
      { count: 6, windowMs: minuteMs },
      { count: 15, windowMs: 1440 * minuteMs },
    ],
    perApp: [],
  },
  metrics: { likes: 'like_count', comments: 'comment_count', shares: 'share_count', impressions: 'view_count' },
  primaryImpression: 'impressions',
} as const satisfies Manifest
