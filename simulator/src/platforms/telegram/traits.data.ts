import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  // A bot cannot read what was posted.
  proof: 'none',
  accounts: 1,
  // With an answer that was lost, a post is in doubt for as long as its largest upload may take, which is a quarter of an hour.
  isLeftOut: true,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  reconnects: true,
  fields: { botToken: '{token}', chat: '{id}' },
  reader: '/bot{token}/getMe',
} as const satisfies PlatformTraits
