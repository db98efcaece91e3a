import type { Transport } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { parseAllow } from '../../../infra/egress/address.ts'
import { createTransport, type ClosableTransport } from '../../../infra/egress/transport.ts'
import { getMetrics, statusClass } from '../../../infra/metrics/get-metrics.ts'

const connectionsMax = 256

/** One connection pool per platform, so that a slow platform does not delay the others. */
function createTransports(ctx: Context) {
  const opened: ClosableTransport[] = []
  const transports = new Map<Platform, Transport>()
  return {
    value: (platform: Platform): Transport => {
      const known = transports.get(platform)
      if (known) return known
      const transport = createTransport({ allow: parseAllow([...ctx.config.egressAllow]), connectionsMax })
      opened.push(transport)
      const measured = measureCalls(ctx, platform, transport)
      transports.set(platform, measured)
      return measured
    },
    async close() {
      await Promise.all(opened.map((transport) => transport.close()))
    },
  }
}

export function transportFor(ctx: Context, platform: Platform): Transport {
  return ctx.resources.get(createTransports, ctx)(platform)
}

/** Measures the requests to a platform until the response begins. */
function measureCalls(ctx: Context, platform: Platform, transport: Transport): Transport {
  const { platformCalls } = getMetrics(ctx)
  return async (call) => {
    const startedMs = performance.now()
    let status = 'none'
    try {
      const answer = await transport(call)
      status = statusClass(answer.status)
      return answer
    } finally {
      platformCalls.observe({ platform, status }, (performance.now() - startedMs) / 1000)
    }
  }
}
