import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  // None in chaos: a server takes six posts in ten minutes, and a run sends more.
  accounts: 0,
  kinds: ['text', 'photo'],
  hasComments: true,
  listsLate: true,
  reconnects: true,
  fields: { username: '{handle}', accountPassword: '{password}', community: 'bells' },
  reader: '/api/v3/user/validate_auth',
} as const satisfies PlatformTraits
