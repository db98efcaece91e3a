import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/**
 * Reddit's own page about its API could not be read. The limits of texts are those of its archived source (r2/r2/lib/validator, 2017-10-16) and of
 * what other programs use today (praw 7b697581 of 2026-08-17, bundlesocial-docs of 2026), the calls those of its notice of 2023-06-09.
 */
export const manifest = {
  platform: 'reddit',
  name: 'Reddit',
  checkedOn: '2026-11-19',
  api: {
    version: 'v1',
    sunset: null,
    docs: [
      'https://www.reddit.com/dev/api',
      'https://support.reddithelp.com/hc/en-us/articles/16160319875092-Reddit-Data-API-Wiki',
      'https://support.reddithelp.com/hc/en-us/articles/42728983564564-Responsible-Builder-Policy',
      'https://github.com/reddit-archive/reddit/wiki/OAuth2',
      'https://github.com/praw-dev/praw/blob/main/praw/models/reddit/subreddit/subreddit.py',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel'],
  text: { ...noTextLimits, max: 40_000, counting: 'codepoints', alone: true },
  photos: { ...noLimits, max: 20, bytesMax: 20_000_000, mimeTypes: ['image/jpeg', 'image/png', 'image/gif'] },
  video: null,
  document: null,
  gif: null,
  mixedCarousel: false,
  story: null,
  altText: { kinds: [], max: null },
  title: { formats: ['text', 'photo', 'photo_carousel'], max: 300 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: false, title: true, linkUrl: true, remove: true, metrics: true },
  linkWithMedia: 'text',
  // Reddit reads the page itself.
  linkCard: null,
  preview: { family: 'feed', foldAt: null },
  prices: null,
  // For all people of an app together.
  rate: { perConnection: [], perApp: [{ count: 100, windowMs: 60_000 }] },
  metrics: { likes: 'score', comments: 'num_comments', shares: 'num_crossposts' },
  primaryImpression: null,
} as const satisfies Manifest
