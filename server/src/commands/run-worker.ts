import type { Context } from '../context.ts'
import { dispatchPulls } from '../features/analytics/dispatch-pulls.ts'
import { foldHistory } from '../features/analytics/history/fold-history.ts'
import { planFirstPulls } from '../features/analytics/pull-times.ts'
import { linkEntries } from '../features/audit/link-entries.ts'
import { sealAudit } from '../features/audit/seal-audit.ts'
import { trimAudit } from '../features/audit/trim-audit.ts'
import { announceExpiring } from '../features/connections/announce-expiring.ts'
import { followRecordings } from '../features/connections/calls/recording/follow-recordings.ts'
import { renewEarly, renewEarlyEveryMs } from '../features/connections/renew-token.ts'
import { sweepDisconnected } from '../features/connections/sweep-disconnected.ts'
import { outboxStart } from '../features/events/outbox-start.ts'
import { takeEvents, viewOutbox } from '../features/events/outbox.store.ts'
import { sendQueuedMails } from '../features/invitations/send-queued-mails.ts'
import { groupLiveEvents } from '../features/live/group-live-events.ts'
import { insertLiveEvents, notifyStreams } from '../features/live/live-event.store.ts'
import { sweepLiveEvents } from '../features/live/sweep-live-events.ts'
import { sweepStorage } from '../features/media/sweep-storage.ts'
import { sweepAccounts } from '../features/people/sweep-accounts.ts'
import { createTallyCompactor } from '../features/posts/reading/create-tally-compactor.ts'
import { fillPostIndexes } from '../features/posts/reading/fill-post-indexes.ts'
import { applyTimeZoneRules } from '../features/posts/schedule/apply-time-zone-rules.ts'
import { recoverLostSends, releaseLostClaims } from '../features/publishing/dispatch/dispatch.store.ts'
import { dispatchDue, sweep } from '../features/publishing/dispatch/dispatch.ts'
import { waitForQuiet } from '../features/publishing/send/in-flight.ts'
import { finishSends } from '../features/publishing/send/submit-batch.ts'
import { askAboutDoubted } from '../features/restore/ask-about-doubted.ts'
import { dispatchDeliveries } from '../features/webhooks/dispatch-deliveries.ts'
import { insertLoggedEvents } from '../features/webhooks/log/event-log.store.ts'
import { planDeliveries } from '../features/webhooks/plan-deliveries.ts'
import { startWitness } from '../infra/cell/check-witness.ts'
import { newUuid } from '../infra/db/ids.ts'
import { sweepOldRows } from '../infra/db/sweep-old-rows.store.ts'
import { createDeploymentRemover, registerWorker, registerWorkerWithRetries } from '../infra/engine/deployments.ts'
import { UnknownServiceError } from '../infra/engine/ingress.ts'
import { dueChannel } from '../infra/engine/notify-workers.store.ts'
import { type LoopOptions, runLoop } from '../infra/engine/run-loop.ts'
import { findHeartbeatAgeMs } from '../infra/health/heartbeat.store.ts'
import { heartbeatJob } from '../infra/health/heartbeat.workflow.ts'
import { processState } from '../infra/health/process-state.ts'
import { finishDetached } from '../infra/queue/run-detachable.ts'
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
  const server = await serveEngine(ctx)
  const heartbeat = await createHeartbeat(ctx)
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
  const deliveries = start({
    name: 'deliveries',
    everyMs: 1000,
    work: () => waitForQuiet(ctx).then(() => dispatchDeliveries(ctx)),
  })
  const loops = [
    heart,
    due,
    deliveries,
    start({ name: 'witness', everyMs: 8_000, deadlineMs: witnessDeadlineMs, work: () => witness.beat().then(() => false) }),
    start({ name: 'events', everyMs: 250, work: () => waitForQuiet(ctx).then(() => relayEvents(ctx)) }),
    start({ name: 'sweep', everyMs: 5_000, work: once(() => sweep(ctx)) }),
    start({ name: 'audit', everyMs: 2_000, work: () => waitForQuiet(ctx).then(() => linkEntries(ctx)) }),
    start({ name: 'audit values', everyMs: 60_000, deadlineMs: longDeadlineMs, work: once(() => sealAudit(ctx)) }),
    start({ name: 'tally', everyMs: 5_000, work: once(createTallyCompactor(ctx)) }),
    start({ name: 'post indexes', everyMs: 1_000, work: () => waitForQuiet(ctx).then(() => fillPostIndexes(ctx)) }),
    start({ name: 'pulls', everyMs: 2_000, work: once(() => dispatchPulls(ctx)) }),
    start({ name: 'mails', everyMs: 2_000, deadlineMs: longDeadlineMs, work: () => sendQueuedMails(ctx) }),
    start({ name: 'doubted', everyMs: 10_000, deadlineMs: longDeadlineMs, work: () => askAboutDoubted(ctx) }),
    start({ name: 'tokens', everyMs: renewEarlyEveryMs, deadlineMs: longDeadlineMs, work: once(() => renewEarly(ctx)) }),
    start({ name: 'expiring', everyMs: 15_000, work: () => announceExpiring(ctx) }),
    start({ name: 'disconnected', everyMs: 30_000, work: once(() => sweepDisconnected(ctx)) }),
    start({ name: 'old releases', everyMs: 15_000, work: once(removeOldReleases(ctx)) }),
    start({ name: 'files', everyMs: 600_000, deadlineMs: longDeadlineMs, work: () => sweepStorage(ctx) }),
    start({ name: 'accounts', everyMs: 600_000, work: once(() => sweepAccounts(ctx)) }),
    start({ name: 'live events', everyMs: 60_000, work: () => sweepLiveEvents(ctx) }),
    start({ name: 'old rows', everyMs: 600_000, work: () => sweepOldRows(ctx.db.system) }),
    start({ name: 'old figures', everyMs: 600_000, work: () => waitForQuiet(ctx).then(() => foldHistory(ctx)) }),
    start({ name: 'old audit entries', everyMs: 600_000, work: () => waitForQuiet(ctx).then(() => trimAudit(ctx)) }),
    start({ name: 'zones', everyMs: 3_600_000, deadlineMs: longDeadlineMs, work: once(() => applyTimeZoneRules(ctx)) }),
  ]
  processState(ctx).loops = loops.map(({ status }) => status)
  const unlisten = await ctx.db.listen(dueChannel, (payload) => {
    if (payload !== '') return followRecordings(ctx, payload)
    due.wake()
    deliveries.wake()
  })

  return async () => {
    const endMs = performance.now() + drainMs
    await unlisten()
    // A pass that hangs must not use up the time in which sends can end.
    const loopsStopped = Promise.all(loops.map((loop) => loop.stop()))
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

function removeOldReleases({ config, log }: Context): () => Promise<void> {
  const removeDrained = createDeploymentRemover({ adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl })
  return async () => {
    const removed = await removeDrained()
    if (removed.length > 0)
      log.info({ removed }, 'everything that began on earlier releases has ended; their addresses are removed')
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
export async function relayEvents(ctx: Context): Promise<boolean> {
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
  return taken === takeMax
}

/** A heartbeat is sent every 8 s. When none came back for this long, the engine cannot reach the workers at the address it knows. */
const missingAfterMs = 25_000

/**
 * Registers this worker with the engine, and again whenever the engine has forgotten it or no longer reaches it. Without this, an engine that
 * lost its data would send nothing until a worker restarts.
 */
export async function createHeartbeat(ctx: Context) {
  const { config, log } = ctx
  const registration = { adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl }
  const worker = newUuid()
  let registeredAtMs = 0
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
  }

  await register(registerWorkerWithRetries(registration, log))
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
    },
  }
}
