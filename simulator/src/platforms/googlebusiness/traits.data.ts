import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['text', 'photo'],
  hasComments: false,
  renews: true,
  fetchesLater: true,
  listsLate: true,
  reader: '/v1/accounts',
} as const satisfies PlatformTraits
