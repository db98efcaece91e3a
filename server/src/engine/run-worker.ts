import { dispatchPulls } from '../analytics/dispatch-pulls.ts'
import type { Context } from '../context.ts'
import { relayEvents } from '../events/relay-events.ts'
import { renewEarly } from '../connections/renew-early.ts'
import { beatErrand } from '../health/heartbeat.workflow.ts'
import { newUuid } from '../ids.ts'
import { sendDueMails } from '../mail/send-due-mails.ts'
import { sweepStorage } from '../media/sweep-storage.ts'
import { sweepAccounts } from '../people/sweep-accounts.ts'
import { tallyCompactor } from '../posts/compact-tally.ts'
import { dispatchDue, sweep } from '../posts/dispatch.ts'
import { quietMoment } from '../posts/in-flight.ts'
import { followZones } from '../posts/follow-zones.ts'
import { dispatchDeliveries } from '../webhooks/dispatch-deliveries.ts'
import { dueChannel } from './nudge.store.ts'
import { registerWorker } from './register.ts'
import { runLoop } from './run-loop.ts'
import { serveEngine } from './serve-engine.ts'

/** Starts everything a worker does: the workflows the engine calls, and the loops that feed it. Gives a way to stop. */
export async function runWorker(ctx: Context): Promise<() => Promise<void>> {
  const { config, log } = ctx
  const server = await serveEngine(ctx)
  await registerWorker({ adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl, log })
  const worker = newUuid()
  const once = (work: () => Promise<void>) => () => work().then(() => false)
  const due = runLoop({ name: 'dispatch', log, everyMs: 500, work: () => dispatchDue(ctx) })
  // A pause even when there is more: who waits for an event can wait a moment longer than who waits for a post.
  const events = runLoop({ name: 'events', log, everyMs: 250, work: once(() => quietMoment().then(() => relayEvents(ctx))) })
  const deliveries = runLoop({ name: 'deliveries', log, everyMs: 1000, work: () => dispatchDeliveries(ctx) })
  const repair = runLoop({ name: 'sweep', log, everyMs: 5_000, work: once(() => sweep(ctx)) })
  const heart = runLoop({
    name: 'heartbeat',
    log,
    everyMs: 8_000,
    work: once(() => ctx.engine.send(beatErrand(worker), newUuid())),
  })
  const tokens = runLoop({ name: 'tokens', log, everyMs: 600_000, work: once(() => renewEarly(ctx)) })
  const tally = runLoop({ name: 'tally', log, everyMs: 5_000, work: once(tallyCompactor(ctx)) })
  const pulls = runLoop({ name: 'pulls', log, everyMs: 2_000, work: once(() => dispatchPulls(ctx)) })
  const files = runLoop({ name: 'files', log, everyMs: 600_000, work: () => sweepStorage(ctx) })
  const mails = runLoop({ name: 'mails', log, everyMs: 2_000, work: () => sendDueMails(ctx) })
  const accounts = runLoop({ name: 'accounts', log, everyMs: 600_000, work: once(() => sweepAccounts(ctx)) })
  const zones = runLoop({ name: 'zones', log, everyMs: 3_600_000, work: once(() => followZones(ctx)) })
  const unlisten = await ctx.db.listen(dueChannel, () => {
    due.wake()
    deliveries.wake()
  })
  return async () => {
    await unlisten()
    const loops = [due, events, deliveries, repair, tokens, tally, files, mails, accounts, pulls, zones, heart]
    await Promise.all(loops.map((loop) => loop.stop()))
    server.close()
  }
}
