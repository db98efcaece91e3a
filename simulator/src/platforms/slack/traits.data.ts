import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'readback',
  accounts: 1,
  kinds: ['text', 'photo', 'carousel', 'video', 'document'],
  hasComments: true,
  hasThreads: true,
  answersFirst: true,
  reconnects: true,
  fields: { token: '{token}', channel: '{id}' },
  reader: '/api/auth.test',
} as const satisfies PlatformTraits
