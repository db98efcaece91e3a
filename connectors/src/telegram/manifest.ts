import { noLimits, type Manifest } from '@carillon/contract'
import { noTextLimits } from '../kit/no-text-limits.data.ts'

const fileBytesMax = 50_000_000

export const manifest = {
  platform: 'telegram',
  name: 'Telegram',
  chat: { address: 'https://api.telegram.org/bot0000:XXXX/sendMessage?chat_id=-1000' },
  checkedOn: '2026-11-14',
  api: {
    version: 'Bot API 10.1',
    sunset: null,
    docs: [
      'https://core.telegram.org/bots/api',
      'https://core.telegram.org/bots/faq',
      'https://github.com/PaulSonOfLars/telegram-bot-api-spec',
    ],
  },
  // A bot can neither send with a key nor read what was posted.
  handle: 'none',
  handleLastsMs: null,
  formats: ['text', 'photo', 'photo_carousel', 'video', 'document'],
  // The unit of the limit is not documented. Positions in a text are given in UTF-16 units, which is also the strictest interpretation.
  text: { ...noTextLimits, max: 4096, maxWithFiles: 1024, counting: 'utf16', alone: true },
  photos: {
    ...noLimits,
    max: 10,
    bytesMax: 10_000_000,
    mimeTypes: ['image/jpeg', 'image/png'],
    // Width and height together may be 10,000.
    sideMax: 5000,
    ratioMin: 1 / 20,
    ratioMax: 20,
  },
  video: { ...noLimits, max: 1, bytesMax: fileBytesMax, mimeTypes: ['video/mp4'] },
  document: { ...noLimits, max: 1, bytesMax: fileBytesMax, mimeTypes: ['application/pdf'] },
  gif: { ...noLimits, max: 1, bytesMax: fileBytesMax, mimeTypes: ['image/gif'] },
  mixedCarousel: true,
  story: null,
  altText: { kinds: [], max: null },
  title: { formats: ['document'], max: 60 },
  coverSetting: null,
  aiLabel: null,
  audienceSetting: null,
  settingConflicts: [],
  can: { firstComment: true, thread: true, title: true, linkUrl: false, remove: true, metrics: false },
  linkWithMedia: 'text',
  linkCard: null,
  preview: { family: 'microblog', foldAt: null },
  prices: null,
  // Telegram names about one message a second and 20 a minute for one group, and tolerates short bursts. It publishes none for channels.
  rate: { perConnection: [{ count: 20, windowMs: 60_000 }], perApp: [] },
  metrics: {},
  followers: 'getChatMemberCount',
  primaryImpression: null,
} as const satisfies Manifest
