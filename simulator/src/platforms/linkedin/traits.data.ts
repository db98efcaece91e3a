import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  // The posts of a page can be listed, those of a person cannot.
  proof: 'readback',
  accounts: 2,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  renews: true,
  listsLate: true,
  reader: '/v2/userinfo',
} as const satisfies PlatformTraits
