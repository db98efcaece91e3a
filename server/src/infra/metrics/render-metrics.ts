import { collectDefaultMetrics } from 'prom-client'
import type { Context } from '../../context.ts'
import { loopMsMax, type LoopStatus } from '../engine/run-loop.ts'
import { collectFigures } from './collect-figures.ts'
import { getMetrics, type Metrics } from './get-metrics.ts'
import { measureDisk } from './measure-disk.ts'
import { startAtZero } from './start-at-zero.ts'

/** CPU time, memory, garbage collection and the delay of the event loop: they belong to the process, so they are watched once. */
export function watchProcess(ctx: Context): void {
  collectDefaultMetrics({ register: getMetrics(ctx).registry })
  startAtZero(ctx)
}

/** What the process knows about itself, from `infra/health`. */
type State = { isDraining: boolean; loops: readonly LoopStatus[] }

export type RenderedMetrics = { contentType: string; text: string }

/** All metrics of this process in Prometheus' text format. */
export async function renderMetrics(ctx: Context, state: State): Promise<RenderedMetrics> {
  const metrics = getMetrics(ctx)
  setProcess(ctx, metrics, state)
  await Promise.all([collectFigures(ctx), measureDisk(ctx)])
  return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }
}

function setProcess(ctx: Context, metrics: Metrics, { isDraining, loops }: State): void {
  metrics.draining.set(isDraining ? 1 : 0)
  for (const loop of loops) {
    const labels = { loop: loop.name }
    metrics.loopAge.set(labels, (performance.now() - (loop.lastSuccessAtMs ?? loop.startedAtMs)) / 1000)
    metrics.loopAllowedAge.set(labels, loopMsMax(loop) / 1000)
    metrics.loopFailures.set(labels, loop.failedPasses)
  }
  for (const { pool, max, open, idle, waiting } of ctx.db.pools()) {
    metrics.poolSize.set({ pool }, max)
    metrics.poolConnections.set({ pool, state: 'busy' }, open - idle)
    metrics.poolConnections.set({ pool, state: 'idle' }, idle)
    metrics.poolWaiting.set({ pool }, waiting)
  }
}
