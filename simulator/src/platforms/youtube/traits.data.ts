import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'reference',
  accounts: 1,
  kinds: ['video'],
  hasComments: true,
  renews: true,
  listsLate: true,
  reader: '/youtube/v3/channels?part=snippet&mine=true',
} as const satisfies PlatformTraits
