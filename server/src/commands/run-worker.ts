import { dispatchPulls } from '../features/analytics/dispatch-pulls.ts'
import type { Context } from '../context.ts'
import { relayEvents } from './relay-events.ts'
import { renewEarly } from '../features/connections/renew-early.ts'
import { heartbeatJob } from '../infra/health/heartbeat.workflow.ts'
import { newUuid } from '../infra/db/ids.ts'
import { sendQueuedMails } from '../features/invitations/send-queued-mails.ts'
import { sweepStorage } from '../features/media/sweep-storage.ts'
import { sweepAccounts } from '../features/people/sweep-accounts.ts'
import { createTallyCompactor } from '../features/posts/reading/create-tally-compactor.ts'
import { dispatchDue, sweep } from '../features/publishing/dispatch/dispatch.ts'
import { waitForQuiet } from '../features/publishing/send/in-flight.ts'
import { applyTimeZoneRules } from '../features/posts/apply-time-zone-rules.ts'
import { dispatchDeliveries } from '../features/webhooks/dispatch-deliveries.ts'
import { dueChannel } from '../infra/engine/notify-workers.store.ts'
import { registerWorker } from '../infra/engine/register-worker.ts'
import { runLoop } from '../infra/engine/run-loop.ts'
import { startWitness } from '../infra/cell/start-witness.ts'
import { askAboutDoubted } from '../features/restore/ask-about-doubted.ts'
import { serveEngine } from './serve-engine.ts'

/** Starts everything a worker does: the workflows the engine calls, and the loops that feed it. Gives a way to stop. */
export async function runWorker(ctx: Context): Promise<() => Promise<void>> {
  const { config, log } = ctx
  const witness = await startWitness(ctx)
  const server = await serveEngine(ctx)
  await registerWorker({ adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl, log })
  const worker = newUuid()
  const once = (work: () => Promise<void>) => () => work().then(() => false)
  const due = runLoop({ name: 'dispatch', log, everyMs: 500, work: () => dispatchDue(ctx) })
  // A pause even when there is more: who waits for an event can wait a moment longer than who waits for a post.
  const events = runLoop({ name: 'events', log, everyMs: 250, work: once(() => waitForQuiet(ctx).then(() => relayEvents(ctx))) })
  const deliveries = runLoop({ name: 'deliveries', log, everyMs: 1000, work: () => dispatchDeliveries(ctx) })
  const repair = runLoop({ name: 'sweep', log, everyMs: 5_000, work: once(() => sweep(ctx)) })
  const heart = runLoop({
    name: 'heartbeat',
    log,
    everyMs: 8_000,
    work: once(() => ctx.engine.send(heartbeatJob(worker), newUuid())),
  })
  const tokens = runLoop({ name: 'tokens', log, everyMs: 600_000, work: once(() => renewEarly(ctx)) })
  const tally = runLoop({ name: 'tally', log, everyMs: 5_000, work: once(createTallyCompactor(ctx)) })
  const pulls = runLoop({ name: 'pulls', log, everyMs: 2_000, work: once(() => dispatchPulls(ctx)) })
  const files = runLoop({ name: 'files', log, everyMs: 600_000, work: () => sweepStorage(ctx) })
  const mails = runLoop({ name: 'mails', log, everyMs: 2_000, work: () => sendQueuedMails(ctx) })
  const accounts = runLoop({ name: 'accounts', log, everyMs: 600_000, work: once(() => sweepAccounts(ctx)) })
  const zones = runLoop({ name: 'zones', log, everyMs: 3_600_000, work: once(() => applyTimeZoneRules(ctx)) })
  const doubted = runLoop({ name: 'doubted', log, everyMs: 10_000, work: () => askAboutDoubted(ctx) })
  const beats = runLoop({ name: 'witness', log, everyMs: 8_000, work: once(() => witness.beat()) })
  const unlisten = await ctx.db.listen(dueChannel, () => {
    due.wake()
    deliveries.wake()
  })
  return async () => {
    await unlisten()
    const loops = [due, events, deliveries, repair, tokens, tally, files, mails, accounts, pulls, zones, heart, doubted, beats]
    await Promise.all(loops.map((loop) => loop.stop()))
    await witness.stop()
    server.close()
  }
}
