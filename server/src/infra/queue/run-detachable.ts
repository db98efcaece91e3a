import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { createFairQueue, type FairQueue } from './create-fair-queue.ts'
import { createRunPlaces } from './create-run-places.ts'
import type { Job } from '../engine/engine.ts'

/** How long a run waits for its work. The run holds one of the engine's places meanwhile. */
const waitMsMax = 1_500

/** Servers that users choose share these slots. A workspace, and a server that many workspaces use, has a part of them. */
const chosenLimits = { slots: 64, perWorkspaceMax: 8, perServerMax: 16 }
/** Each platform has slots of its own, so that a slow one delays only itself. */
const platformLimits = { slots: 100 }
/** Work that waits for a slot in the memory of this process. What is beyond it returns to the engine for a while. */
const waitingLimits = { waitingMax: 10_000, waitingPerWorkspaceMax: 1_000 }
const returnMsMin = 5_000
const returnMsMax = 15_000

/** While work goes on without its run, `keep` is called this often. */
const keepEveryMs = 20_000
/** What `keep` sets lasts for this long: if the process dies, another one takes the work up after it. */
export const keptMs = 60_000
const resendWaitsMs = [500, 2_000, 5_000, 10_000, 20_000]

/** Which slots work uses: those of a platform, or those of all servers that users choose, where the host counts too. */
export type Destination = { platform: string } | { chosenHost: string }

/** Moves the time at which other processes take this work up, so that they leave it alone for another `keptMs`. */
export type Keep<Ref> = (ctx: Context, refs: readonly Ref[]) => Promise<void>

type Detachable<Ref> = {
  workspaceId: string
  to: Destination
  /** The same work as a job, for the case that this process cannot do it. */
  job: Job
  /** What the work is about, for `keep`. */
  refs: readonly Ref[]
  keep: Keep<Ref>
}

type Entry = { refs: readonly unknown[]; keep: Keep<unknown> }

function createDetachedWork(ctx: Context) {
  const queues = new Map<string, FairQueue>()
  const entries = new Set<Entry>()
  const running = new Set<Promise<unknown>>()
  const keepAll = () => {
    for (const [keep, group] of Map.groupBy(entries, (entry) => entry.keep))
      void keepSafely(
        ctx,
        keep,
        group.flatMap(({ refs }) => refs),
      )
  }
  const timer = setInterval(keepAll, keepEveryMs).unref()
  const value = {
    isDraining: false,
    queues,
    entries,
    running,
    places: createRunPlaces(),
    queueOf(to: Destination): FairQueue {
      const name = 'platform' in to ? to.platform : ''
      const limits = 'platform' in to ? platformLimits : chosenLimits
      const queue = queues.get(name) ?? createFairQueue({ ...limits, ...waitingLimits })
      queues.set(name, queue)
      return queue
    },
  }
  return { value, close: async () => clearInterval(timer) }
}

/**
 * Does work that calls a server, as a step of a run, and returns the jobs that follow from it. A run holds one of the engine's places, which
 * all tenants share, so it waits for a short time only, and not at all if the work has to queue or if many runs wait already. Then it ends,
 * this process goes on, and enqueues the jobs by itself. If the process dies, `keep` is not called any more and another process takes the work
 * up. So the work must be safe to repeat.
 */
export async function runDetachable<Ref>(
  ctx: Context,
  { workspaceId, to, job, refs, keep }: Detachable<Ref>,
  work: () => Promise<Job[]>,
): Promise<Job[]> {
  const detached = ctx.resources.get(createDetachedWork, ctx)
  const queue = detached.queueOf(to)
  if (detached.isDraining) return [job]
  if (!queue.hasRoom(workspaceId)) {
    await keepSafely(ctx, keep, refs)
    return [{ ...job, delayMs: returnMsMin + Math.random() * (returnMsMax - returnMsMin) }]
  }
  let isStarted = false
  const done = queue.run({ workspaceId, ...('chosenHost' in to && { server: to.chosenHost }) }, async () => {
    isStarted = true
    // The queue is emptied because the process ends: another one does this.
    return detached.isDraining ? [job] : work()
  })
  track(detached.running, done)
  const endWaiting = isStarted ? detached.places.take(workspaceId) : null
  if (endWaiting) {
    const jobs = await resultWithin(done, waitMsMax).finally(endWaiting)
    if (jobs) return jobs
  }
  const entry: Entry = { refs, keep: keep as Keep<unknown> }
  detached.entries.add(entry)
  const finished = finishAlone(ctx, job, done).finally(() => detached.entries.delete(entry))
  track(detached.running, finished)
  await keepSafely(ctx, keep, refs)
  return []
}

/** For the end of the process: what waits returns to the engine, and what runs may end. False when that took longer than `timeoutMs`. */
export async function finishDetached(ctx: Context, timeoutMs: number): Promise<boolean> {
  const detached = ctx.resources.get(createDetachedWork, ctx)
  detached.isDraining = true
  for (const queue of detached.queues.values()) queue.startAll()
  const isDone = (async () => {
    while (detached.running.size > 0) await Promise.allSettled(detached.running)
    return true
  })()
  return (await resultWithin(isDone, timeoutMs)) ?? false
}

function track(running: Set<Promise<unknown>>, work: Promise<unknown>): void {
  running.add(work)
  const forget = () => void running.delete(work)
  work.then(forget, forget)
}

async function resultWithin<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  const timer = new AbortController()
  const timeout = sleep(timeoutMs, null, { signal: timer.signal }).catch(() => null)
  try {
    return await Promise.race([work, timeout])
  } finally {
    timer.abort()
  }
}

/** Enqueues what follows from work whose run has ended. Work that failed is done again as a job. */
async function finishAlone(ctx: Context, job: Job, done: Promise<Job[]>): Promise<void> {
  const jobs = await done.catch((error: unknown) => {
    ctx.log.warn(
      { err: error, service: job.service, handler: job.handler },
      'work failed after its run had ended; it is repeated',
    )
    return [{ ...job, delayMs: returnMsMin }]
  })
  await Promise.all(jobs.map((each) => sendUntilAccepted(ctx, each)))
}

async function sendUntilAccepted(ctx: Context, job: Job): Promise<void> {
  const key = newUuid()
  for (const waitMs of [...resendWaitsMs, null]) {
    try {
      return await ctx.engine.send(job, key)
    } catch (error) {
      ctx.log.warn({ err: error, service: job.service, handler: job.handler }, 'the engine did not accept a job')
      if (waitMs !== null) await sleep(waitMs)
    }
  }
  ctx.log.error({ service: job.service, handler: job.handler }, 'a job could not be enqueued; a sweep will enqueue it again')
}

/** A time that could not be moved means at worst that two processes do the same work. */
async function keepSafely<Ref>(ctx: Context, keep: Keep<Ref>, refs: readonly Ref[]): Promise<void> {
  await keep(ctx, refs).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'it could not be stored that this process is still at work'),
  )
}
