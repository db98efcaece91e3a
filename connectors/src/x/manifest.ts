import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const minuteMs = 60_000

export const manifest = {
  platform: 'x',
  name: 'X',
  checkedOn: '2026-11-14',
  api: {
    version: '2',
    sunset: null,
    docs: [
      'https://docs.x.com/x-api/posts/creation-of-a-post',
      'https://docs.x.com/x-api/media/quickstart/best-practices',
      'https://docs.x.com/resources/fundamentals/counting-characters',
      'https://docs.x.com/x-api/fundamentals/rate-limits',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  text: {
    ...noTextLimits,
    max: 280,
    counting: 'twitter-weighted',
    linkCost: 23,
    cashtagsMax: 1,
    alone: true,
  },
  photos: {
    ...noLimits,
    max: 4,
    bytesMax: 5_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/webp'],
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: 8_000_000_000,
    mimeTypes: ['video/mp4', 'video/quicktime'],
    // X writes "1280 × 1024" and recommends 720 × 1280, so the larger number is for the longer side.
    sideMin: 32,
    sideMax: 1280,
    shortSideMax: 1024,
    fpsMax: 60,
    ratioMin: 1 / 3,
    ratioMax: 3,
    secondsMin: 0.5,
    secondsMax: 1200,
  },
  document: null,
  gif: {
    ...noLimits,
    max: 1,
    bytesMax: 15_000_000,
    mimeTypes: ['image/gif'],
    sideMax: 1280,
    shortSideMax: 1080,
    framesMax: 350,
    framePixelsMax: 300_000_000,
  },
  story: null,
  altText: { kinds: ['image', 'video'], max: 1000 },
  title: null,
  coverSetting: null,
  settingConflicts: [],
  can: { firstComment: true, title: false, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  preview: { family: 'microblog', foldAt: null },
  rate: {
    perConnection: [{ count: 100, windowMs: 15 * minuteMs }],
    perApp: [{ count: 10_000, windowMs: 24 * 60 * minuteMs }],
  },
  metrics: {
    likes: 'like_count',
    comments: 'reply_count',
    shares: 'retweet_count',
    impressions: 'impression_count',
    clicks: 'url_link_clicks',
    saves: 'bookmark_count',
  },
  primaryImpression: 'impressions',
} as const satisfies Manifest
