import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 1,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  reconnects: true,
  fields: { secret: '{token}' },
  // Needs a signature instead of the token itself.
  reader: '/',
} as const satisfies PlatformTraits
