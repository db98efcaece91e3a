import type { Transport } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import type { Context } from '../context.ts'
import { parseAllow } from '../egress/address.ts'
import { createTransport } from '../egress/transport.ts'

/** A pool a platform, so that one that dawdles holds up nobody else. */
const connectionsMax = 256
const transports = new Map<Platform, Transport>()

export function transportFor(ctx: Context, platform: Platform): Transport {
  let transport = transports.get(platform)
  if (!transport) {
    transport = createTransport({ allow: parseAllow([...ctx.config.egressAllow]), connectionsMax })
    transports.set(platform, transport)
  }
  return transport
}
