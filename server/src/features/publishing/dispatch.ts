import type { Context } from '../../context.ts'
import { inParallel } from '../../infra/engine/in-parallel.ts'
import { newUuid } from '../../infra/db/ids.ts'
import {
  claimDue,
  findLostComments,
  findOrphans,
  markAsked,
  markHanded,
  releaseClaims,
  releaseStuck,
  type Claimed,
} from './dispatch.store.ts'
import { checkJob, commentJob, prepareJob, recoverJobs, submitJob, type ChannelRef } from './jobs.ts'

/** How far ahead of its time a channel is handed to the engine. */
const horizonMs = 120_000
const claimMax = 2000
/** Channels one run carries: the cost of a run is shared, and a run that crashes leaves few to ask about. */
const batchMax = 50
/** Hand-overs under way at once; as many as the engine's front door takes. */
const handOverWidth = 24

/** Takes what falls due soon from the schedule and hands it to the engine. Says whether there may be more. */
export async function dispatchDue(ctx: Context): Promise<boolean> {
  const due = await claimDue(ctx.db.system, { horizonMs, limit: claimMax })
  const [early, plain] = [due.filter(({ prepare }) => prepare), due.filter(({ prepare }) => !prepare)]
  const jobs = [
    ...early.map((claimed) => ({
      atMs: claimed.dispatchAt.getTime(),
      claimed: [claimed],
      job: () => prepareJob(ref(claimed)),
    })),
    ...batches(plain, ctx.nowMs()).map(({ platform, dispatchAtMs, claimed }) => ({
      atMs: dispatchAtMs,
      claimed,
      // The engine counts from when it hears of it, so the wait is worked out at the last moment.
      job: () => submitJob({ platform, refs: claimed.map(ref) }, dispatchAtMs - ctx.nowMs()),
    })),
  ]
  // What is due first goes first, whatever else is in the way.
  jobs.sort((a, b) => a.atMs - b.atMs)
  await inParallel(jobs, handOverWidth, ({ claimed, job }) => handOver(ctx, claimed, () => ctx.engine.send(job(), newUuid())))
  return due.length === claimMax
}

/** Repairs what a crash left behind, wherever it happened. */
export async function sweep(ctx: Context): Promise<void> {
  const stuck = await releaseStuck(ctx.db.system)
  if (stuck > 0) ctx.log.warn({ stuck }, 'channels claimed and not carried on went back to the schedule')
  const orphans = await findOrphans(ctx.db.system)
  if (orphans.length > 0) {
    ctx.log.warn({ orphans: orphans.length }, 'sends without a run are being asked about')
    const ask = (orphan: (typeof orphans)[number]) =>
      orphan.state === 'submitting' ? recoverJobs([orphan], 0, 0) : [checkJob(orphan, 0, 0)]
    await Promise.all(orphans.flatMap(ask).map((job) => ctx.engine.send(job, newUuid())))
    await markAsked(ctx.db.system, orphans)
  }
  await sweepComments(ctx)
}

async function sweepComments(ctx: Context): Promise<void> {
  const lost = await findLostComments(ctx.db.system)
  const minute = Math.floor(ctx.nowMs() / 60_000)
  await Promise.all(lost.map((each) => ctx.engine.send(commentJob(each), `comment ${each.channelId} ${minute}`)))
}

/** Channels for the same platform due at the same instant travel together; what is already due is one instant. */
function batches(due: readonly Claimed[], nowMs: number): { platform: string; dispatchAtMs: number; claimed: Claimed[] }[] {
  const instantOf = ({ dispatchAt }: Claimed) => Math.max(dispatchAt.getTime(), nowMs)
  const groups = Map.groupBy(due, (claimed) => `${claimed.platform} ${instantOf(claimed)}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    return chunk(group, batchMax).map((claimed) => ({ platform: first.platform, dispatchAtMs: instantOf(first), claimed }))
  })
}

async function handOver(ctx: Context, claimed: readonly Claimed[], send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    // Perhaps it was accepted and only the answer was lost; the next claim's generation makes that run a stale one.
    ctx.log.warn({ err: error, channels: claimed.length }, 'the engine did not take a batch; it goes back to the schedule')
    await releaseClaims(ctx.db.system, claimed)
    throw error
  }
  await markHanded(ctx.db.system, claimed)
}

function ref({ workspaceId, channelId, generation }: Claimed): ChannelRef {
  return { workspaceId, channelId, generation }
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
}
