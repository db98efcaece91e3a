import type { Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/** Forem counts bytes, and takes 800 KiB. This is the most that Carillon sends. */
const textMax = 100_000

/** The limits of Forem, from its source of 2026-08-20. New people have lower ones, which the site sets. */
export const manifest = {
  platform: 'devto',
  name: 'DEV',
  checkedOn: '2026-11-19',
  api: {
    version: 'v1',
    sunset: null,
    docs: [
      'https://github.com/forem/forem/blob/main/app/models/article.rb',
      'https://github.com/forem/forem/blob/main/app/controllers/concerns/api/articles_controller.rb',
      'https://github.com/forem/forem/blob/main/config/initializers/rack_attack.rb',
      'https://github.com/forem/forem/blob/main/app/services/rate_limit_checker.rb',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text'],
  text: { ...noTextLimits, max: textMax, counting: 'utf8-bytes', alone: true },
  photos: null,
  video: null,
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: [], max: null },
  title: { formats: ['text'], max: 128 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: false, thread: false, title: true, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  rate: {
    perConnection: [
      { count: 1, windowMs: 1000 },
      { count: 9, windowMs: 30_000 },
    ],
    perApp: [],
  },
  metrics: { likes: 'public_reactions_count', comments: 'comments_count', impressions: 'page_views_count' },
  primaryImpression: 'impressions',
} as const satisfies Manifest
