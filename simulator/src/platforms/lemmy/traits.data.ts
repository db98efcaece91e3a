import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  // A server takes six posts in ten minutes, and the usual plan of a seed has more.
  isLeftOut: true,
  kinds: ['text', 'photo'],
  hasComments: true,
  listsLate: true,
  hasSites: true,
  reconnects: true,
  fields: { username: '{handle}', accountPassword: '{password}', community: 'bells' },
  reader: '/api/v3/user/validate_auth',
} as const satisfies PlatformTraits
