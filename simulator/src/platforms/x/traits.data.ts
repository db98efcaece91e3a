import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 2,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: true,
  hasThreads: true,
  renews: true,
  reconnects: true,
  listsLate: true,
  reader: '/2/users/me',
} as const satisfies PlatformTraits
