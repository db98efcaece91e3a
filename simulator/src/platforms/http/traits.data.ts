import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 1,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  fields: { secret: '{token}' },
  fetchesLater: true,
  isSigned: true,
  reader: '/',
} as const satisfies PlatformTraits
