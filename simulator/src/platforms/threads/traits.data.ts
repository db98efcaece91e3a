import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'reference',
  accounts: 2,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: true,
  hasThreads: true,
  reconnects: true,
  listsLate: true,
  reader: '/v1.0/me',
} as const satisfies PlatformTraits
