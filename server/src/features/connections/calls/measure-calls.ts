import type { Transport } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import { statusClass } from '../../../infra/metrics/status-class.ts'

/** Measures the requests to a platform until the response begins. */
export function measureCalls(ctx: Context, platform: Platform, transport: Transport): Transport {
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
