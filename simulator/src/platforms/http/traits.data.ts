import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 1,
  // It recognises repeats as the usual platforms of a run do.
  isLeftOut: true,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  hasSites: true,
  fields: { secret: '{token}' },
  fetchesLater: true,
  signed: 'webhook',
  reader: '/',
} as const satisfies PlatformTraits
