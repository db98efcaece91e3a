import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const dayMs = 86_400_000

export const manifest = {
  platform: 'threads',
  name: 'Threads',
  checkedOn: '2026-11-14',
  api: {
    version: 'v1.0',
    sunset: null,
    docs: [
      'https://developers.facebook.com/documentation/threads/posts',
      'https://developers.facebook.com/documentation/threads/reference/publishing',
      'https://developers.facebook.com/documentation/threads/insights',
      'https://developers.facebook.com/documentation/threads/troubleshooting',
    ],
  },
  handle: 'reference',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video'],
  text: {
    ...noTextLimits,
    max: 500,
    counting: 'utf8-bytes',
    linksMax: 5,
    alone: true,
  },
  photos: {
    ...noLimits,
    max: 20,
    bytesMax: 8_000_000,
    mimeTypes: ['image/jpeg', 'image/png'],
    widthMin: 320,
    widthMax: 1440,
    ratioMin: 0.1,
    ratioMax: 10,
  },
  video: {
    ...noLimits,
    // A carousel may contain 20 videos, but our video format is one file.
    max: 1,
    bytesMax: 1_000_000_000,
    mimeTypes: ['video/mp4', 'video/quicktime'],
    widthMax: 1920,
    ratioMin: 0.01,
    ratioMax: 10,
    secondsMax: 300,
    fpsMin: 23,
    fpsMax: 60,
    bitsPerSecondMax: 100_000_000,
  },
  document: null,
  gif: null,
  story: null,
  altText: { kinds: ['image', 'video'], max: 1000 },
  title: null,
  coverSetting: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: false, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'omitted',
  linkCard: null,
  preview: { family: 'microblog', foldAt: null },
  rate: { perConnection: [{ count: 250, windowMs: dayMs }], perApp: [] },
  metrics: { likes: 'likes', comments: 'replies', shares: 'reposts', impressions: 'views' },
  primaryImpression: 'impressions',
} as const satisfies Manifest
