import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 2,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: true,
  hasThreads: true,
  reconnects: true,
  hasSites: true,
  fields: { secretKey: '{token}', mediaServer: '{site}' },
  signed: 'event',
  reader: '/list/{id}',
} as const satisfies PlatformTraits
