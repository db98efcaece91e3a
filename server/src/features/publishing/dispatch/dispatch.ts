import type { Context } from '../../../context.ts'
import { takeServersBack, type ServerRef } from '../../connections/calls/server-health.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { chunk } from '../../../infra/engine/chunk.ts'
import { inParallel } from '../../../infra/engine/in-parallel.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import {
  claimDue,
  findLostComments,
  findOrphans,
  markRecovering,
  markEnqueued,
  postponeClaims,
  releaseClaims,
  releaseStuck,
  wakeBatch,
  type Claimed,
} from './dispatch.store.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { checkJob, commentJob, prepareJob, recoverJobs, submitJob } from '../jobs.ts'
import { paceChannels } from './pace-channels.ts'
import { startEnqueueSpans, type Traces } from './start-enqueue-spans.ts'
import { isIsolated } from '../settle/finished-of.ts'
import { waitForServerMs } from '../wait-for-server.ts'

/** How far ahead of its due time a channel is enqueued in the engine. */
const horizonMs = 120_000
const claimMax = 2000
const wakeMax = 2000
/** Channels per job: they share the cost of a run, and a run that crashes leaves few to recover. */
const batchMax = 50
/** Jobs enqueued at once; as many as there are connections to the engine. */
const enqueueAtOnce = 24

/** Claims the channels that fall due soon and enqueues them in the engine. True when there may be more. */
export async function dispatchDue(ctx: Context): Promise<boolean> {
  for (const server of takeServersBack(ctx)) await wakeWaitingFor(ctx, server)
  const claims = await claimDue(ctx.db.system, { horizonMs, limit: claimMax })
  const due = await postponeForServers(ctx, claims)
  const [early, ready] = partition(due, (claimed) => claimed.prepare || isStagedTooEarly(ctx, claimed))
  const jobs = [
    ...early.map((claimed) => ({
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
  await inParallel(jobs, enqueueAtOnce, ({ atMs, claimed, job }) => {
    const { traces, end } = startEnqueueSpans(ctx, claimed)
    return enqueue(ctx, { claimed, atMs }, () => ctx.engine.send(job(traces), newUuid())).finally(end)
  })
  return claims.length === claimMax
}

/** Returns the claims that can be enqueued. Those of a server that is down return to the schedule without a job. */
async function postponeForServers(ctx: Context, claims: readonly Claimed[]): Promise<Claimed[]> {
  const judged = claims.map((claimed) => {
    const { platform, instanceUrl, dueAt, dispatchAt } = claimed
    // What is due later may find the server up again.
    if (dispatchAt.getTime() > ctx.nowMs()) return { claimed, waitMs: 0 }
    return { claimed, waitMs: waitForServerMs(ctx, { platform, instanceUrl, dueAtMs: dueAt.getTime(), isCalling: false }) }
  })
  await postponeClaims(
    ctx.db.system,
    judged.filter(({ waitMs }) => waitMs > 0),
  )
  return judged.filter(({ waitMs }) => waitMs === 0).map(({ claimed }) => claimed)
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
  if (stuck > 0) ctx.log.warn({ stuck }, 'channels that were claimed and not sent returned to the schedule')
  const orphans = await findOrphans(ctx.db.system)
  if (orphans.length > 0) {
    ctx.log.warn({ orphans: orphans.length }, 'recovering sends whose run is gone')
    const jobsFor = (orphan: (typeof orphans)[number]) =>
      orphan.state === 'submitting' ? recoverJobs({ refs: [orphan], round: 0, callEnded: false }, 0) : [checkJob(orphan, 0, 0)]
    await Promise.all(orphans.flatMap(jobsFor).map((job) => ctx.engine.send(job, newUuid())))
    await markRecovering(ctx.db.system, orphans)
  }
  await sweepComments(ctx)
}

async function sweepComments(ctx: Context): Promise<void> {
  const lost = await findLostComments(ctx.db.system)
  const minute = Math.floor(ctx.nowMs() / 60_000)
  await Promise.all(lost.map((each) => ctx.engine.send(commentJob(each), `comment ${each.channelId} ${minute}`)))
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

function partition<T>(list: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))]
}

async function enqueue(
  ctx: Context,
  { claimed, atMs }: Pick<Planned, 'claimed' | 'atMs'>,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    // The job may have been accepted and only the answer lost; the next claim's generation makes that job stale.
    ctx.log.warn({ err: error, channels: claimed.length }, 'the engine did not accept a job; its channels return to the schedule')
    await releaseClaims(ctx.db.system, claimed)
    throw error
  }
  await markEnqueued(ctx.db.system, claimed, atMs)
}

function refOf({ workspaceId, channelId, generation, epoch }: Claimed): ChannelRef {
  return { workspaceId, channelId, generation, epoch }
}
