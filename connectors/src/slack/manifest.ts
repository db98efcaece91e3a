import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/** Slack's reference names no limits for files. These are the ones that another service enforces (docs.bundle.social, limits). */
const fileBytesMax = 1_000_000_000
const filesMax = 4

export const manifest = {
  platform: 'slack',
  name: 'Slack',
  chat: { address: 'https://hooks.slack.com/services/T0000/B0000/XXXX' },
  checkedOn: '2026-11-18',
  api: {
    version: 'Web API',
    sunset: null,
    docs: [
      'https://docs.slack.dev/reference/methods/chat.postmessage',
      'https://docs.slack.dev/reference/methods/files.completeUploadExternal/',
      'https://docs.slack.dev/reference/methods/files.getUploadURLExternal/',
      'https://docs.slack.dev/reference/methods/conversations.history',
      'https://docs.slack.dev/messaging/message-metadata',
      'https://docs.slack.dev/apis/web-api/rate-limits',
    ],
  },
  handle: 'readback',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  // Slack recommends 4,000. Others saw a longer text become two messages (github.com/chainloop-dev/chainloop issue 272), and what is over 40,000
  // is cut. The unit is not documented, so it is the strictest.
  text: { ...noTextLimits, max: 4000, counting: 'utf16', alone: true },
  photos: {
    ...noLimits,
    max: filesMax,
    bytesMax: fileBytesMax,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  },
  video: { ...noLimits, max: 1, bytesMax: fileBytesMax, mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'] },
  document: { ...noLimits, max: 1, bytesMax: fileBytesMax, mimeTypes: ['application/pdf'] },
  gif: null,
  mixedCarousel: true,
  story: null,
  altText: { kinds: ['image'], max: 1000 },
  title: { formats: ['document'], max: 100 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: true, linkUrl: false, remove: true, metrics: true },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'microblog', foldAt: null },
  prices: null,
  // About one message a second for a channel; short bursts are tolerated, without a promise.
  rate: { perConnection: [{ count: 1, windowMs: 1000 }], perApp: [] },
  metrics: { likes: 'reactions', comments: 'reply_count' },
  primaryImpression: null,
} as const satisfies Manifest
