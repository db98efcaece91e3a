import { planFirstPulls } from '../features/analytics/plan-first-pulls.ts'
import type { Context } from '../context.ts'
import { planDeliveries } from '../features/webhooks/plan-deliveries.ts'
import { outboxStart } from '../features/events/outbox-start.ts'
import { takeEvents, viewOutbox } from '../features/events/outbox.store.ts'
import { groupLiveEvents } from '../features/live/group-live-events.ts'
import { insertLoggedEvents } from '../features/webhooks/log/event-log.store.ts'
import { insertLiveEvents, notifyStreams } from '../features/live/live-event.store.ts'

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
