import type { Pool } from 'undici'
import type { Health } from '../../infra/health/check-health.ts'
import type { RenderedMetrics } from '../../infra/metrics/render-metrics.ts'
import type { Router } from './router.ts'

/** Shorter than the timeout of a usual probe, so that the answer names the cell. */
const cellMs = 4_000

/** The router can accept requests. It says nothing about the cells: other routers would not reach them either. */
export function checkRouterAccepting({ state }: Router): Health {
  const problems = state.isDraining ? ['This process is stopping.'] : []
  const isHealthy = problems.length === 0
  return { isHealthy, body: { status: isHealthy ? 'accepting' : 'not_accepting', problems } }
}

/** Every cell is ready. For alerts. */
export async function checkRouterReady(router: Router): Promise<Health> {
  const cells = await checkCells(router)
  const problems = [
    ...(router.state.isDraining ? ['This process is stopping.'] : []),
    ...Object.entries(cells).flatMap(([cell, status]) => (status === 'ready' ? [] : [`Cell ${cell} is ${words[status]}.`])),
  ]
  const isHealthy = problems.length === 0
  return { isHealthy, body: { status: isHealthy ? 'ready' : 'not_ready', problems, cells } }
}

export async function renderRouterMetrics(router: Router): Promise<RenderedMetrics> {
  const { metrics, state, streams } = router
  for (const [cell, status] of Object.entries(await checkCells(router))) metrics.cellUp.set({ cell }, status === 'ready' ? 1 : 0)
  metrics.streams.set(streams.size)
  metrics.draining.set(state.isDraining ? 1 : 0)
  return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }
}

const words = { not_ready: 'not ready', unreachable: 'not reachable' } as const

type CellHealth = 'ready' | keyof typeof words

async function checkCells({ pools }: Router): Promise<Record<string, CellHealth>> {
  const checks = [...pools].map(async ([cell, pool]) => [String(cell), await checkCell(pool)] as const)
  return Object.fromEntries(await Promise.all(checks))
}

async function checkCell(pool: Pool): Promise<CellHealth> {
  try {
    const response = await pool.request({ method: 'GET', path: '/health/ready', signal: AbortSignal.timeout(cellMs) })
    await response.body.dump()
    return response.statusCode === 200 ? 'ready' : 'not_ready'
  } catch {
    return 'unreachable'
  }
}
