import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['text', 'photo', 'carousel'],
  hasComments: true,
  renews: true,
  reconnects: true,
  listsLate: true,
  reader: '/api/v1/me',
} as const satisfies PlatformTraits
