import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics } from 'prom-client'
import type { Context } from '../../context.ts'
import { loopMsMax, type LoopStatus } from '../engine/run-loop.ts'
import { collectFigures } from './collect-figures.ts'
import { getMetrics, type Metrics } from './get-metrics.ts'

/** A network folder that does not answer must not hold the other metrics. */
const waitMs = 1_000

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

/** Sets how much room is left where media files are stored or checked. Without an answer, the last values stay. */
async function measureDisk(ctx: Context): Promise<void> {
  const { diskFree, diskSize } = getMetrics(ctx)
  const reading = statfs(ctx.config.media.dir).catch(() => null)
  const found = await Promise.race([reading, sleep(waitMs, null, { ref: false })])
  if (!found) return
  // What a process without special rights can still write.
  diskFree.set({ folder: 'media' }, found.bavail * found.bsize)
  diskSize.set({ folder: 'media' }, found.blocks * found.bsize)
}

/**
 * Reports the counts that alert rules compare as 0 from the start. A rule sees how much a number has risen; a number that first appears
 * as 1 has not risen, so the first unconfirmed post or the first calls to a platform that is down would go unnoticed.
 */
export function startAtZero(ctx: Context): void {
  const { outcomes, lateness, platformCalls, renewals, webhookAttempts, mails, decodersWaiting } = getMetrics(ctx)
  for (const platform of Object.keys(ctx.connectors)) {
    for (const code of ['outcome_unknown', 'restored']) outcomes.inc({ platform, outcome: 'unconfirmed', code }, 0)
    lateness.zero({ platform })
    for (const status of ['2xx', '4xx', '5xx', 'none']) platformCalls.zero({ platform, status })
    for (const outcome of ['issued', 'refused', 'unavailable']) renewals.inc({ platform, outcome }, 0)
  }
  for (const outcome of ['delivered', 'unanswered', '5xx']) webhookAttempts.inc({ outcome }, 0)
  for (const outcome of ['sent', 'later', 'failed']) mails.inc({ outcome }, 0)
  // "Above 0 for ten minutes" would be true at once for a number that was never seen as 0.
  for (const queue of ['inspect', 'render']) decodersWaiting.inc({ queue }, 0)
}
