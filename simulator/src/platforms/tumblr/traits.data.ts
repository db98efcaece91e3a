import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  // None in chaos: files are published by their upload, so after a kill a post is in doubt for the minutes that the largest upload may take.
  accounts: 0,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: false,
  renews: true,
  reconnects: true,
  listsLate: true,
  reader: '/v2/user/info',
} as const satisfies PlatformTraits
