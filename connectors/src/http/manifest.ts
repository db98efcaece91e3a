import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/** The most that Carillon sends to any receiver. `declaration.ts` reads what one receiver takes. */
export const manifest = {
  platform: 'http',
  name: 'Own platform',
  checkedOn: '2026-11-18',
  api: {
    version: '1',
    sunset: null,
    docs: ['https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md'],
  },
  // A receiver that does not declare that it recognises keys has `none`.
  handle: 'key',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  text: { ...noTextLimits, max: 25_000, counting: 'codepoints', alone: true },
  photos: {
    ...noLimits,
    max: 20,
    bytesMax: 50_000_000,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/heif', 'image/avif'],
  },
  video: { ...noLimits, max: 1, bytesMax: 1_000_000_000, mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'] },
  document: { ...noLimits, max: 1, bytesMax: 100_000_000, mimeTypes: ['application/pdf'] },
  gif: null,
  mixedCarousel: true,
  story: null,
  altText: { kinds: ['image', 'video'], max: 5000 },
  title: { formats: ['text', 'photo', 'photo_carousel', 'video', 'document'], max: 500 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  rate: { perConnection: [{ count: 60, windowMs: 60_000 }], perApp: [] },
  metrics: {
    likes: 'likes',
    comments: 'comments',
    shares: 'shares',
    impressions: 'impressions',
    clicks: 'clicks',
    saves: 'saves',
  },
  primaryImpression: 'impressions',
} as const satisfies Manifest
