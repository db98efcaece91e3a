import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  // Whether an uploaded file belongs to a post can be asked.
  proof: 'reference',
  accounts: 1,
  kinds: ['photo', 'carousel', 'video'],
  hasComments: true,
  listsLate: true,
  hasSites: true,
  reader: '/api/v1/accounts/verify_credentials',
} as const satisfies PlatformTraits
