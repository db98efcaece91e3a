import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  // A run of chaos connects its accounts without the address of their site, so one that lost its password could not be connected again.
  accounts: 0,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  fields: { username: '{handle}', password: '{password}' },
  scheme: 'Basic',
  reader: '/wp-json/wp/v2/users/me?context=edit',
} as const satisfies PlatformTraits
