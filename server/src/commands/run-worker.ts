import type { Context } from '../context.ts'
import { planFirstPulls } from '../features/analytics/pull-times.ts'
import { linkEntries } from '../features/audit/link-entries.ts'
import { followRecordings } from '../features/connections/calls/recording/follow-recordings.ts'
import { outboxStart } from '../features/events/outbox-start.ts'
import { takeEvents, viewOutbox } from '../features/events/outbox.store.ts'
import { sendQueuedMails } from '../features/invitations/send-queued-mails.ts'
import { groupLiveEvents } from '../features/live/group-live-events.ts'
import { insertLiveEvents, notifyStreams } from '../features/live/live-event.store.ts'
import { clearSpool } from '../features/media/sweep-storage.ts'
import { fillPostIndexes } from '../features/posts/reading/fill-post-indexes.ts'
import { recoverLostSends, releaseLostClaims } from '../features/publishing/dispatch/dispatch.store.ts'
import { dispatchDue, sweep } from '../features/publishing/dispatch/dispatch.ts'
import { waitForQuiet } from '../features/publishing/send/in-flight.ts'
import { finishSends } from '../features/publishing/send/submit-batch.ts'
import { deriveNotices } from '../features/notices/derive-notices.ts'
import { tellNotices } from '../features/notices/tell-notices.ts'
import { dispatchDeliveries } from '../features/webhooks/dispatch-deliveries.ts'
import { insertLoggedEvents } from '../features/webhooks/log/event-log.store.ts'
import { planDeliveries } from '../features/webhooks/plan-deliveries.ts'
import { type ChoreRunner, createChores } from '../infra/chores/run-chores.ts'
import { startWitness } from '../infra/cell/check-witness.ts'
import { newUuid } from '../infra/db/ids.ts'
import { registerWorker, registerWorkerWithRetries } from '../infra/engine/deployments.ts'
import { UnknownServiceError } from '../infra/engine/ingress.ts'
import { dueChannel } from '../infra/engine/notify-workers.store.ts'
import { createActivity } from '../infra/queue/keep-workers-awake.ts'
import { type LoopOptions, runLoop } from '../infra/engine/run-loop.ts'
import { findHeartbeatAgeMs } from '../infra/health/heartbeat.store.ts'
import { heartbeatJob } from '../infra/health/heartbeat.workflow.ts'
import { processState } from '../infra/health/process-state.ts'
import { finishDetached } from '../infra/queue/run-detachable.ts'
import { listChores } from './chores.ts'
import { serveEngine } from './serve-engine.ts'

/** A call to a platform ends after 30 s; storing its answer takes a moment more. */
const drainMs = 35_000
/** Longer than one statement on a silent database connection, so that the statement fails first and the log names the cause. */
const deadlineMs = 45_000
/** For loops that call other services for many items in one pass. */
const longDeadlineMs = 600_000
/** A comparison with the witness allows sending for 40 s, so a pass that hangs must end before that. */
const witnessDeadlineMs = 15_000

type WorkerLoop = Omit<LoopOptions, 'log' | 'deadlineMs'> & { deadlineMs?: number }

/** Starts everything a worker does: the workflows that the engine calls, and the loops that enqueue work. Returns how to stop. */
export async function runWorker(ctx: Context): Promise<() => Promise<void>> {
  const { log } = ctx
  if (ctx.config.restateIdentityKeys.length === 0)
    log.warn('RESTATE_IDENTITY_KEYS is not set: every program on this machine can call the port of the worker')
  const witness = await startWitness(ctx)
  const chores = createChores(ctx, listChores(ctx))
  const server = await serveEngine(ctx, chores)
  const heartbeat = await createHeartbeat(ctx, chores)
  const start = (loop: WorkerLoop) => runLoop({ log, deadlineMs, ...loop })
  const once = (work: () => Promise<void>) => () => work().then(() => false)

  const heart = start({ name: 'heartbeat', everyMs: 8_000, work: once(() => heartbeat.beat()) })
  // A database that was away may have been replaced or restarted. Nothing can be claimed in it before a comparison.
  let mustCompare = false
  const dispatch = async () => {
    try {
      if (mustCompare) mustCompare = (await witness.beat()) === 'undecided'
      return await dispatchDue(ctx)
    } catch (error) {
      mustCompare = true
      if (error instanceof UnknownServiceError) heart.wake()
      throw error
    }
  }
  const due = start({ name: 'dispatch', everyMs: 500, work: dispatch })
  // Posts are more urgent than reporting them: in a burst, deliveries and events wait for it.
  const activity = createActivity()
  const whenIdle = (everyMs: number) => ({ everyMs, isIdle: () => activity.isIdle() })
  const deliveries = start({
    name: 'deliveries',
    everyMs: 1000,
    // New ones wake it, and it takes up what is due within five seconds.
    idle: whenIdle(4_000),
    work: () => waitForQuiet(ctx).then(() => dispatchDeliveries(ctx)),
  })
  const followUp = start({
    name: 'follow-up',
    everyMs: 5_000,
    idle: whenIdle(15_000),
    work: () => waitForQuiet(ctx).then(() => followEvents(ctx)),
  })
  const followSoon = createDelayedCall(followMs, () => followUp.wake())
  const onTaken = () => {
    activity.note()
    followSoon.call()
  }
  const relay = () => waitForQuiet(ctx).then(() => relayEvents(ctx, onTaken))
  const events = start({ name: 'events', everyMs: 250, idle: whenIdle(1_000), work: relay })
  // What is here needs its own process, or must go on while the engine is away. Everything else is a chore.
  const loops = [
    // Registers this process, and notices that the engine is away or empty.
    heart,
    // Fills the engine. What it knows about servers and the engine's room is of this process.
    due,
    // Fills the engine as well, and takes turns by what this process has seen of webhooks.
    deliveries,
    // Says for this process whether it may send.
    start({ name: 'witness', everyMs: 8_000, deadlineMs: witnessDeadlineMs, work: () => witness.beat().then(() => false) }),
    // People watch for what it passes on, also while the engine is away.
    events,
    // Finds sends whose run is gone, so it must not be a run itself.
    start({ name: 'sweep', everyMs: 5_000, work: once(createSweep(ctx)) }),
    // A link to sign in must arrive while the engine is away, and a notice of what is wrong too.
    start({ name: 'mails', everyMs: 2_000, deadlineMs: longDeadlineMs, work: () => sendQueuedMails(ctx) }),
    // Follows the relay of this process within a second, and the metric about refused audit entries is of this process.
    followUp,
  ]
  processState(ctx).loops = loops.map(({ status }) => status)
  const unlisten = await ctx.db.listen(dueChannel, (payload) => {
    if (payload !== '') return followRecordings(ctx, payload)
    activity.note()
    due.wake()
    deliveries.wake()
    events.wake()
  })

  return async () => {
    const endMs = performance.now() + drainMs
    await unlisten()
    followSoon.cancel()
    // A pass that hangs must not use up the time in which sends can end.
    // No run waits for a chore from here on; like the loops, a chore has until the end to finish its pass.
    const loopsStopped = Promise.all([chores.stop(), ...loops.map((loop) => loop.stop())])
    await server.drain(endMs - performance.now())
    // After the runs have ended, no further send can begin.
    const leftMs = Math.max(endMs - performance.now(), 0)
    const [isDone, isAsked] = await Promise.all([finishSends(ctx, leftMs), finishDetached(ctx, leftMs)])
    if (!isDone) log.error('sends were still in progress when the worker stopped; the platforms will be asked about them')
    if (!isAsked) log.warn('calls were still in progress when the worker stopped; another worker repeats them')
    await Promise.race([loopsStopped, waitUntil(endMs)])
    await witness.stop()
  }
}

const spoolEveryMs = 600_000

/** Repairs what crashes left: in the database, and now and then the temporary files of this machine. */
function createSweep(ctx: Context): () => Promise<void> {
  let spoolClearedAtMs = -Infinity
  return async () => {
    await sweep(ctx)
    if (performance.now() - spoolClearedAtMs < spoolEveryMs) return
    await clearSpool(ctx)
    spoolClearedAtMs = performance.now()
  }
}

/** Calls `work` once, `waitMs` after the first of any number of calls. */
function createDelayedCall(waitMs: number, work: () => void): { call(): void; cancel(): void } {
  let timer: NodeJS.Timeout | null = null
  return {
    call() {
      timer ??= setTimeout(() => {
        timer = null
        work()
      }, waitMs).unref()
    },
    cancel() {
      if (timer) clearTimeout(timer)
    },
  }
}

async function waitUntil(endMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, Math.max(endMs - performance.now(), 0)).unref()
  await promise
}

const takeMax = 1000

/**
 * Turns events into webhook deliveries, live events and entries of the event log in one transaction, so an event is never lost and never
 * delivered from twice. Returns whether there may be more.
 */
export async function relayEvents(ctx: Context, onTaken = () => {}): Promise<boolean> {
  const start = outboxStart(ctx)
  const view = await viewOutbox(ctx.db.system, start.after)
  start.learn(view)
  const { first: from } = view
  if (from === null) return false
  const { taken, planned, live } = await ctx.db.system.transaction().execute(async (tx) => {
    const { events, changes } = await takeEvents(tx, { from, limit: takeMax })
    await planFirstPulls(tx, events, ctx.nowMs())
    const deliveries = events.length > 0 ? await planDeliveries(ctx, tx, events) : 0
    const liveEvents = groupLiveEvents(events, changes)
    // From here on this transaction holds the lock that makes ids visible in their order.
    await insertLoggedEvents(tx, events)
    await insertLiveEvents(tx, liveEvents)
    return { taken: events.length + changes.length, planned: deliveries, live: liveEvents.length }
  })
  if (planned > 0) ctx.engine.wakeWorkers()
  if (live > 0) await notifyStreams(ctx.db.system)
  if (taken > 0) onTaken()
  return taken === takeMax
}

/** Events come in groups, and each look at what follows from them costs some statements. */
const followMs = 1_000

/**
 * Does what follows from changes and what nobody waits for with the request: searches find new posts, notices are made and told, and entries
 * are added to the audit logs. One that fails does not stop the others. Returns whether there may be more.
 */
async function followEvents(ctx: Context): Promise<boolean> {
  const works = [fillPostIndexes, deriveNotices, tellNotices, linkEntries]
  const results: PromiseSettledResult<boolean>[] = []
  for (const work of works) results.push(...(await Promise.allSettled([work(ctx)])))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return results.some((result) => result.status === 'fulfilled' && result.value)
}

/** A heartbeat is sent every 8 s. When none came back for this long, the engine cannot reach the workers at the address it knows. */
const missingAfterMs = 25_000
/** How often each worker looks for chores whose next pass did not come. */
const watchEveryMs = 60_000

/**
 * Registers this worker with the engine, and again whenever the engine has forgotten it or no longer reaches it. Without this, an engine that
 * lost its data would send nothing until a worker restarts.
 */
export async function createHeartbeat(ctx: Context, chores: Pick<ChoreRunner, 'start' | 'watch'>) {
  const { config, log } = ctx
  const registration = { adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl }
  const worker = newUuid()
  let registeredAtMs = 0
  let choresSeenAtMs = performance.now()
  /** True until everything that was enqueued in a lost engine is on the schedule again, also if the database did not answer meanwhile. */
  let isEngineEmpty = false

  const register = async (work: Promise<boolean>) => {
    isEngineEmpty = (await work) || isEngineEmpty
    registeredAtMs = performance.now()
  }
  const refillEngine = async () => {
    if (!isEngineEmpty) return
    const released = await releaseLostClaims(ctx.db.system)
    const asked = await recoverLostSends(ctx.db.system)
    isEngineEmpty = false
    if (released + asked > 0)
      log.warn({ released, asked }, 'the engine is empty; channels that were enqueued in it are enqueued again')
    ctx.engine.wakeWorkers()
  }
  const registerAgain = async (reason: string) => {
    log.warn({ reason }, 'this worker registers with the engine again')
    await register(registerWorker(registration))
    await refillEngine()
    await chores.start()
  }
  const watchChores = async () => {
    if (performance.now() - choresSeenAtMs < watchEveryMs) return
    choresSeenAtMs = performance.now()
    await chores.watch()
  }

  await register(registerWorkerWithRetries(registration, log))
  await chores.start()
  return {
    async beat(): Promise<void> {
      await refillEngine()
      const send = () => ctx.engine.send(heartbeatJob(worker), newUuid())
      try {
        await send()
      } catch (error) {
        if (!(error instanceof UnknownServiceError)) throw error
        await registerAgain('the engine does not know the services')
        return send()
      }
      const waitedMs = performance.now() - registeredAtMs
      const ageMs = (await findHeartbeatAgeMs(ctx.db.system, worker)) ?? Infinity
      if (Math.min(ageMs, waitedMs) > missingAfterMs) await registerAgain('no heartbeat came back through the engine')
      await watchChores()
    },
  }
}
