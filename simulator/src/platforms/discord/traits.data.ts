import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 1,
  // Files are published by their upload, so after a kill a post is in doubt for the minutes that the largest upload may take, and Discord has
  // forgotten its nonce by then.
  isLeftOut: true,
  forgetsKeys: true,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  reconnects: true,
  fields: { token: '{token}', channel: '{id}' },
  scheme: 'Bot',
  reader: '/api/v10/users/@me',
} as const satisfies PlatformTraits
