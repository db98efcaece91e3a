import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: false,
  hasSites: true,
  fields: { adminKey: '{token}' },
  signed: 'jwt',
  reader: '/ghost/api/admin/posts/',
} as const satisfies PlatformTraits
