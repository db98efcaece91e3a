import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

export const manifest = {
  platform: 'linkedin',
  name: 'LinkedIn',
  checkedOn: '2026-11-14',
  api: {
    version: '202609',
    // Every version is supported for at least a year.
    sunset: '2027-09-15',
    docs: [
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api',
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api',
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api',
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api',
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api',
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/share-statistics',
    ],
  },
  handle: 'readback',
  // For about this long, LinkedIn refuses the same content and names the existing post.
  handleLastsMs: 10 * minuteMs,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  text: {
    ...noTextLimits,
    max: 3000,
    // The unit is not documented; this is the strictest interpretation.
    counting: 'utf16',
    alone: true,
  },
  photos: {
    ...noLimits,
    max: 20,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif'],
    pixelsMax: 36_152_319,
    framesMax: 250,
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMin: 75_000,
    bytesMax: 500_000_000,
    mimeTypes: ['video/mp4'],
    ratioMin: 1 / 2.4,
    ratioMax: 2.4,
    secondsMin: 3,
    secondsMax: 1800,
  },
  document: {
    ...noLimits,
    max: 1,
    bytesMax: 100_000_000,
    mimeTypes: [
      'application/pdf',
      'application/msword',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
    pagesMax: 300,
  },
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: ['image'], max: 4086 },
  title: { formats: ['text', 'video', 'document'], max: null, ofLink: true },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'text-if-it-fits',
  linkCard: {
    titleMax: 400,
    // "Less than 4,086 characters."
    descriptionMax: 4085,
    picture: { ...noLimits, max: 1, mimeTypes: ['image/jpeg', 'image/png', 'image/gif'], pixelsMax: 36_152_319 },
  },
  preview: { family: 'feed', foldAt: 210 },
  prices: null,
  // The limits of a self-serve app. They count all requests, including uploads.
  rate: { perConnection: [{ count: 150, windowMs: dayMs }], perApp: [{ count: 100_000, windowMs: dayMs }] },
  metrics: {
    likes: 'likeCount',
    comments: 'commentCount',
    shares: 'shareCount',
    impressions: 'impressionCount',
    clicks: 'clickCount',
  },
  primaryImpression: 'impressions',
} as const satisfies Manifest
