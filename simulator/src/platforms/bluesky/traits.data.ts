import type { PlatformTraits } from '../../platform-traits.ts'

export const traits = {
  proof: 'key',
  accounts: 2,
  kinds: ['text', 'photo', 'carousel', 'video'],
  hasComments: true,
  hasThreads: true,
  renews: true,
  reconnects: true,
  fields: { identifier: '{handle}', password: '{password}' },
  reader: '/xrpc/com.atproto.server.getSession',
} as const satisfies PlatformTraits
