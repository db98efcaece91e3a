import type { Context } from '../../context.ts'
import { renderMetrics, watchProcess } from '../metrics/render-metrics.ts'
import { checkAccepting, checkLive, checkReady } from './check-health.ts'
import { openHealthPort } from './open-health-port.ts'
import { processState } from './process-state.ts'

/**
 * Serves the health checks and the metrics on a port of their own, in every role. A worker's other port speaks HTTP/2 only, which usual probes do not, and
 * the port of the API is public. Returns how to close it.
 */
export async function serveHealth(ctx: Context): Promise<() => Promise<void>> {
  const { healthHost: host, healthPort: port } = ctx.config
  watchProcess(ctx)
  return openHealthPort({
    host,
    port,
    checks: {
      '/health/live': checkLive,
      '/health/accepting': () => checkAccepting(ctx),
      '/health/ready': () => checkReady(ctx),
    },
    renderMetrics: () => renderMetrics(ctx, processState(ctx)),
  })
}
