import { planFirstPulls } from '../features/analytics/plan-first-pulls.ts'
import type { Context } from '../context.ts'
import { planDeliveries } from '../features/webhooks/plan-deliveries.ts'
import { takeEvents } from '../features/events/outbox.store.ts'
import { groupLiveEvents } from '../features/live/group-live-events.ts'
import { insertLiveEvents, notifyStreams } from '../features/live/live-event.store.ts'

const takeMax = 1000

/** Turns events into webhook deliveries and live events in one transaction, so an event is never lost and never delivered from twice. */
export async function relayEvents(ctx: Context): Promise<void> {
  const { planned, live } = await ctx.db.system.transaction().execute(async (tx) => {
    const { events, changes } = await takeEvents(tx, takeMax)
    await planFirstPulls(tx, events, ctx.nowMs())
    const deliveries = events.length > 0 ? await planDeliveries(ctx, tx, events) : 0
    const liveEvents = groupLiveEvents(events, changes)
    await insertLiveEvents(tx, liveEvents)
    return { planned: deliveries, live: liveEvents.length }
  })
  if (planned > 0) ctx.engine.wakeWorkers()
  if (live > 0) await notifyStreams(ctx.db.system)
}
