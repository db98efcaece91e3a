import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  // A run of chaos connects its accounts without their address, so one that lost its secret could not be connected again.
  accounts: 0,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  fields: { secret: '{token}' },
  fetchesLater: true,
  signed: 'webhook',
  reader: '/',
} as const satisfies PlatformTraits
