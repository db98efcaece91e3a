import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

/** Of each file, in a server without boosts. */
const fileBytesMax = 10 * 1024 * 1024

/** The largest request that Discord takes. */
export const requestBytesMax = 25 * 1024 * 1024

/** More than the text, the alt texts and the headers of the files ever need. */
const textsBytesMax = 128 * 1024

export const manifest = {
  platform: 'discord',
  name: 'Discord',
  chat: { address: 'https://discord.com/api/webhooks/0000/XXXX' },
  checkedOn: '2026-11-18',
  api: {
    version: 'v10',
    sunset: null,
    docs: [
      'https://docs.discord.com/developers/resources/message',
      'https://docs.discord.com/developers/reference',
      'https://docs.discord.com/developers/topics/rate-limits',
      'https://docs.discord.com/developers/topics/opcodes-and-status-codes',
      'https://github.com/discord/discord-api-docs',
    ],
  },
  handle: 'key',
  // "The past few minutes" is all that Discord says of a nonce, so it is trusted for the shortest time that this can mean.
  handleLastsMs: 180_000,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  // The unit of the limit is not documented. UTF-16 units are the strictest interpretation.
  text: { ...noTextLimits, max: 2000, counting: 'utf16', alone: true },
  // Any file is taken; these are shown as pictures, videos and documents.
  photos: {
    ...noLimits,
    max: 10,
    bytesMax: fileBytesMax,
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  },
  video: {
    ...noLimits,
    max: 1,
    bytesMax: fileBytesMax,
    mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'],
  },
  document: { ...noLimits, max: 1, bytesMax: fileBytesMax, mimeTypes: ['application/pdf'] },
  filesBytesMax: requestBytesMax - textsBytesMax,
  gif: null,
  mixedCarousel: true,
  story: null,
  altText: { kinds: ['image', 'video'], max: 1024 },
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
  // Discord names the limit of a channel in headers only, because it may change. Others met five messages in five seconds.
  rate: { perConnection: [{ count: 5, windowMs: 5000 }], perApp: [] },
  metrics: { likes: 'reactions' },
  primaryImpression: null,
} as const satisfies Manifest
