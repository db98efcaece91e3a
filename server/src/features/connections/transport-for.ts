import type { Transport } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { parseAllow } from '../../infra/egress/address.ts'
import { createTransport, type ClosableTransport } from '../../infra/egress/transport.ts'

const connectionsMax = 256

/** One connection pool per platform, so that a slow platform does not delay the others. */
function createTransports({ config }: Context) {
  const transports = new Map<Platform, ClosableTransport>()
  return {
    value: (platform: Platform): Transport => {
      const known = transports.get(platform)
      if (known) return known
      const transport = createTransport({ allow: parseAllow([...config.egressAllow]), connectionsMax })
      transports.set(platform, transport)
      return transport
    },
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()))
    },
  }
}

export function transportFor(ctx: Context, platform: Platform): Transport {
  return ctx.resources.get(createTransports, ctx)(platform)
}
