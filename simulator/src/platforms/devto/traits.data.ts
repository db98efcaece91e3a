import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['text'],
  hasComments: false,
  listsLate: true,
  reconnects: true,
  fields: { apiKey: '{token}' },
  tokenHeader: 'api-key',
  reader: '/api/users/me',
} as const satisfies PlatformTraits
