import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 2,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: true,
  hasThreads: true,
  hasSites: true,
  reconnects: true,
  reader: '/api/v1/accounts/verify_credentials',
} as const satisfies PlatformTraits
