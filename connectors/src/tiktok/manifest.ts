import type { Manifest } from '@carillon/contract'
import { noLimits } from '../kit/no-limits.data.ts'

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
    // The limit of a video. A photo post may have 4,000 characters.
    max: 2200,
    counting: 'utf16',
    linkCost: null,
    shortMentions: false,
    bytesMax: null,
    linksMax: null,
    alone: false,
  },
  photos: {
    ...noLimits,
    max: 35,
    bytesMax: 20_000_000,
    mimeTypes: ['image/jpeg', 'image/webp'],
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 4_000_000_000,
    mimeTypes: ['video/mp4', 'video/webm', 'video/quicktime'],
    widthMin: 360,
    widthMax: 4096,
    // Some accounts are allowed less, which staging checks.
    secondsMax: 600,
  },
  document: null,
  story: null,
  altTextMax: null,
  can: { firstComment: false, title: true, linkUrl: false, remove: false, metrics: true },
  linkWithMedia: 'text',
  preview: { family: 'vertical', foldAt: null },
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
