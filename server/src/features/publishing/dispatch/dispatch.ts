import type { Context } from '../../../context.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { findUnknownPlatforms } from '../../../infra/db/known-platforms.store.ts'
import { isEngineUp } from '../../../infra/engine/call-admin.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { chunk, inParallel } from '../../../infra/engine/in-parallel.ts'
import { type Span, startSpan } from '../../../infra/tracing/start-span.ts'
import { type ServerRef, takeServersBack } from '../../connections/calls/server-health.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { checkJob, prepareJob, recoverJobs, submitJob } from '../jobs.ts'
import { waitForServerMs } from '../run-on-servers.ts'
import { isIsolated } from '../settle/result.ts'
import { type Claimed, claimDue, startClaims } from './claim.store.ts'
import {
  findOrphans,
  markEnqueued,
  markRecovering,
  postponeClaims,
  releaseClaims,
  releaseStuck,
  wakeBatch,
} from './dispatch.store.ts'
import { engineWindow } from './engine-window.ts'
import { paceChannels } from './pace-channels.ts'

/** How far ahead of its due time a channel is enqueued in the engine. */
const horizonMs = 120_000
const claimMax = 2000
const wakeMax = 2000
/** Channels per job: they share the cost of a run, and a run that crashes leaves few to recover. */
const batchMax = 50
/** Jobs enqueued at once; as many as there are connections to the engine. */
const enqueueAtOnce = 24

/** Whether the engine refused a job of the last pass. */
function createRefusal() {
  return { value: { isCurrent: false } }
}

function createProgress() {
  return { value: startClaims() }
}

/** Claims the channels that fall due soon and enqueues them in the engine. True when there may be more. */
export async function dispatchDue(ctx: Context): Promise<boolean> {
  const limit = await claimLimit(ctx)
  for (const server of takeServersBack(ctx)) await wakeWaitingFor(ctx, server)
  const progress = ctx.resources.get(createProgress, ctx)
  const window = engineWindow(ctx)
  await window.share()
  if (progress.hasMore) await window.waitForRoom()
  const claims = await claimDue(ctx.db.system, {
    horizonMs,
    // While the engine is full, each workspace has one turn: what has waited for long does not delay what is due just now.
    ...(window.hasRoom() ? { limit: Math.min(limit, window.room()) } : { limit: batchMax, lookFor: 4 * batchMax, turnMax: 1 }),
    aheadMax: window.aheadMax(),
    progress,
  })
  const judged = claims.flatMap((claimed) => judge(ctx, claimed))
  await postponeClaims(
    ctx.db.system,
    judged.filter(({ waitMs }) => waitMs > 0),
  )
  const due = judged.filter(({ waitMs }) => waitMs === 0)
  const unprepared = due.filter(({ isPrepared }) => !isPrepared).map(({ claimed }) => claimed)
  const ready = due.filter(({ isPrepared }) => isPrepared).map(({ claimed }) => claimed)
  const jobs = [
    ...unprepared.map((claimed) => ({
      atMs: claimed.dispatchAt.getTime(),
      claimed: [claimed],
      job: () => prepareJob(refOf(claimed)),
    })),
    ...batches(ctx, ready).map(({ platform, atMs, claimed }) => ({
      atMs,
      claimed,
      // The engine counts the delay from when it accepts the job, so the delay is computed at the last moment.
      job: (traces: Traces) => {
        const dueAtMs = Math.min(...claimed.map(({ dueAt }) => dueAt.getTime()))
        return submitJob({ platform, refs: claimed.map(refOf), dueAtMs, ...(traces && { traces }) }, atMs - ctx.nowMs())
      },
    })),
  ]
  // What is due first is enqueued first.
  jobs.sort((a, b) => a.atMs - b.atMs)
  const refusal = ctx.resources.get(createRefusal, ctx)
  refusal.isCurrent = false
  await inParallel(jobs, enqueueAtOnce, ({ atMs, claimed, job }) => {
    const { traces, end } = startEnqueueSpans(ctx, claimed)
    return enqueue(ctx, { claimed, atMs }, job(traces)).finally(end)
  }).catch((error: unknown) => {
    refusal.isCurrent = true
    // What was released has its old time.
    progress.lookedTo = null
    throw error
  })
  return progress.hasMore
}

/**
 * How many channels are claimed. A claim that cannot be enqueued is written twice for nothing, so after a refusal nothing is claimed until
 * the engine answers, and then as many as one job holds, until the engine has accepted it.
 */
async function claimLimit(ctx: Context): Promise<number> {
  if (!ctx.resources.get(createRefusal, ctx).isCurrent) return claimMax
  if (!(await isEngineUp(ctx.config.restateIngressUrl)))
    throw new Error('the engine does not answer; no channel is claimed until it does')
  return batchMax
}

type Judged = {
  claimed: Claimed
  /** How long it waits for its server, which is down; 0 if it can be enqueued. */
  waitMs: number
  isPrepared: boolean
}

/** What is to be done with a claimed channel. Nothing if that cannot be told: the sweep returns it to the schedule, and the others go on. */
function judge(ctx: Context, claimed: Claimed): Judged[] {
  try {
    const { platform, instanceUrl, dueAt, dispatchAt, prepare } = claimed
    const isPrepared = !prepare && !isStagedTooEarly(ctx, claimed)
    // What is due later may find the server up again.
    if (dispatchAt.getTime() > ctx.nowMs()) return [{ claimed, waitMs: 0, isPrepared }]
    const waitMs = waitForServerMs(ctx, { platform, instanceUrl, dueAtMs: dueAt.getTime(), isCalling: false })
    return [{ claimed, waitMs, isPrepared }]
  } catch (error) {
    const { workspaceId, channelId } = claimed
    ctx.log.error({ err: error, workspaceId, channelId }, 'a channel cannot be dispatched; it returns to the schedule')
    return []
  }
}

/** Makes the posts due that wait for this server, which is back. */
async function wakeWaitingFor(ctx: Context, server: ServerRef): Promise<void> {
  for (let woken = 0; ;) {
    const count = await wakeBatch(ctx.db.system, { ...server, limit: wakeMax })
    woken += count
    if (count === wakeMax) continue
    if (woken > 0) ctx.log.info({ ...server, channels: woken }, 'a server that was down is back; what waited for it is due now')
    return
  }
}

/** What was staged is forgotten by the platform after a while: a channel that waited for too long is staged again. */
function isStagedTooEarly(ctx: Context, { platform, stagedAt, dispatchAt }: Claimed): boolean {
  const lastsMs = connectorOf(ctx, platform).stageLastsMs
  return stagedAt !== null && lastsMs !== undefined && dispatchAt.getTime() - stagedAt.getTime() > lastsMs
}

/** Repairs what a crash left behind. */
export async function sweep(ctx: Context): Promise<void> {
  const stuck = await releaseStuck(ctx.db.system)
  if (stuck > 0) {
    ctx.log.warn({ stuck }, 'channels that were claimed and not sent returned to the schedule')
    ctx.resources.get(createProgress, ctx).lookedTo = null
  }
  const orphans = await findOrphans(ctx.db.system)
  if (orphans.length > 0) {
    ctx.log.warn({ orphans: orphans.length }, 'recovering sends whose run is gone')
    const jobsFor = (orphan: (typeof orphans)[number]) =>
      orphan.state === 'submitting' ? recoverJobs({ refs: [orphan], round: 0, callEnded: false }, 0) : [checkJob(orphan, 0, 0)]
    await Promise.all(orphans.flatMap(jobsFor).map((job) => ctx.engine.send(job, newUuid())))
    await markRecovering(ctx.db.system, orphans)
  }
  await reportUnknownPlatforms(ctx)
}

function createReported() {
  return { value: new Set<string>() }
}

/** Says once that posts wait for a release that knows their platform, for example after a return to the release before. */
async function reportUnknownPlatforms(ctx: Context): Promise<void> {
  const reported = ctx.resources.get(createReported, ctx)
  const waiting = await findUnknownPlatforms(ctx.db.system)
  for (const { platform, number } of waiting.filter((each) => !reported.has(each.platform))) {
    reported.add(platform)
    ctx.log.error({ platform, channels: number }, 'posts are due on a platform that this release does not know; they wait')
  }
}

type Planned = { platform: string; atMs: number; claimed: Claimed[] }

/**
 * Groups channels of one platform that are to be sent at the same instant; everything already due counts as one instant. On servers that
 * users choose, a batch holds one workspace only.
 */
function batches(ctx: Context, due: readonly Claimed[]): Planned[] {
  const groups = Map.groupBy(paceChannels(ctx, due), ({ claimed, atMs }) => {
    const own = isIsolated(ctx, claimed.platform) ? claimed.workspaceId : ''
    return `${claimed.platform} ${atMs} ${own}`
  })
  return [...groups.values()].flatMap((group) =>
    chunk(group, batchMax).flatMap((some) => {
      const [first] = some
      return first ? [{ platform: first.claimed.platform, atMs: first.atMs, claimed: some.map(({ claimed }) => claimed) }] : []
    }),
  )
}

async function enqueue(ctx: Context, { claimed, atMs }: Pick<Planned, 'claimed' | 'atMs'>, job: Job): Promise<void> {
  const key = newUuid()
  try {
    await ctx.engine.send(job, key)
  } catch (error) {
    // The job may have been accepted and only the answer lost; the next claim's generation makes that job stale.
    ctx.log.warn({ err: error, channels: claimed.length }, 'the engine did not accept a job; its channels return to the schedule')
    await releaseClaims(ctx.db.system, claimed)
    throw error
  }
  if (atMs <= ctx.nowMs()) engineWindow(ctx).add(claimed.length, () => ctx.engine.waitFor(job, key))
  await markEnqueued(ctx.db.system, claimed, atMs)
}

function refOf({ workspaceId, channelId, generation, epoch }: Claimed): ChannelRef {
  return { workspaceId, channelId, generation, epoch }
}

/** By channel: the span (traceparent) that its job continues. Undefined if no channel is traced. */
type Traces = Record<string, string> | undefined

/** Records that channels are handed to the engine, each in the trace of the request that created it. */
function startEnqueueSpans(ctx: Context, claimed: readonly Claimed[]): { traces: Traces; end(): void } {
  const spans: Span[] = []
  let traces: Traces
  for (const { channelId, platform, traceparent } of claimed) {
    const attributes = { 'carillon.platform': platform, 'carillon.channel': channelId }
    const span = traceparent && startSpan(ctx, 'enqueue publish', { kind: 'producer', parent: traceparent, attributes })
    if (!span) continue
    spans.push(span)
    traces = { ...traces, [channelId]: span.traceparent }
  }
  return { traces, end: () => spans.forEach((span) => span.end()) }
}
