import { dispatchPulls } from '../features/analytics/dispatch-pulls.ts'
import { foldHistory } from '../features/analytics/history/fold-history.ts'
import { linkEntries } from '../features/audit/link-entries.ts'
import { sealAudit } from '../features/audit/seal-audit.ts'
import { trimAudit } from '../features/audit/trim-audit.ts'
import type { Context } from '../context.ts'
import { relayEvents } from './relay-events.ts'
import { followRecordings } from '../features/connections/calls/recording/follow-recordings.ts'
import { announceExpiring } from '../features/connections/announce-expiring.ts'
import { renewEarly, renewEarlyEveryMs } from '../features/connections/renew-early.ts'
import { sweepDisconnected } from '../features/connections/sweep-disconnected.ts'
import { sweepOldRows } from '../infra/db/sweep-old-rows.store.ts'
import { startWitness } from '../infra/cell/start-witness.ts'
import { sweepLiveEvents } from '../features/live/sweep-live-events.ts'
import { sendQueuedMails } from '../features/invitations/send-queued-mails.ts'
import { sweepStorage } from '../features/media/sweep-storage.ts'
import { sweepAccounts } from '../features/people/sweep-accounts.ts'
import { fillPostIndexes } from '../features/posts/reading/fill-post-indexes.ts'
import { createTallyCompactor } from '../features/posts/reading/create-tally-compactor.ts'
import { dispatchDue, sweep } from '../features/publishing/dispatch/dispatch.ts'
import { waitForQuiet } from '../features/publishing/send/in-flight.ts'
import { finishSends } from '../features/publishing/send/submit-batch.ts'
import { applyTimeZoneRules } from '../features/posts/schedule/apply-time-zone-rules.ts'
import { askAboutDoubted } from '../features/restore/ask-about-doubted.ts'
import { dispatchDeliveries } from '../features/webhooks/dispatch-deliveries.ts'
import { UnknownServiceError } from '../infra/engine/ingress.ts'
import { createDeploymentRemover } from '../infra/engine/create-deployment-remover.ts'
import { dueChannel } from '../infra/engine/notify-workers.store.ts'
import { finishDetached } from '../infra/queue/run-detachable.ts'
import { runLoop, type LoopOptions } from '../infra/engine/run-loop.ts'
import { processState } from '../infra/health/process-state.ts'
import { createHeartbeat } from './create-heartbeat.ts'
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
