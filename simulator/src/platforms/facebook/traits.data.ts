import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: true,
  listsLate: true,
  reader: '/v26.0/me',
} as const satisfies PlatformTraits
