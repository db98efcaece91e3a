import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['photo', 'carousel', 'video'],
  hasComments: false,
  renews: true,
  reconnects: true,
  listsLate: true,
  reader: '/v5/user_account',
} as const satisfies PlatformTraits
