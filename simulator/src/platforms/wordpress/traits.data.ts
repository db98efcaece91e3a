import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  // It is asked as Ghost is.
  isLeftOut: true,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasSites: true,
  fields: { username: '{handle}', password: '{password}' },
  scheme: 'Basic',
  reader: '/wp-json/wp/v2/users/me?context=edit',
} as const satisfies PlatformTraits
