import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'reference',
  accounts: 1,
  kinds: ['photo', 'carousel', 'video'],
  hasComments: true,
  listsLate: true,
  reader: '/v26.0/me',
} as const satisfies PlatformTraits
