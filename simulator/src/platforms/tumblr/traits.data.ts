import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  // Files are published by their upload, so after a kill a post is in doubt for the minutes that the largest upload may take.
  isLeftOut: true,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: false,
  renews: true,
  reconnects: true,
  listsLate: true,
  reader: '/v2/user/info',
} as const satisfies PlatformTraits
