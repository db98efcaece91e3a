import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'reference',
  // It allows 6 posts a minute and 15 a day for each account.
  accounts: 1,
  kinds: ['photo', 'carousel', 'video'],
  hasComments: false,
  renews: true,
  fetchesLater: true,
  reader: '/v2/user/info/?fields=open_id',
} as const satisfies PlatformTraits
