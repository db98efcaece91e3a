import { planFirstPulls } from '../features/analytics/plan-first-pulls.ts'
import type { Context } from '../context.ts'
import { planDeliveries } from '../features/webhooks/plan-deliveries.ts'
import { takeEvents } from '../features/events/outbox.store.ts'

const takeMax = 1000

/** Turns events into webhook deliveries in one transaction, so an event is never lost and never delivered from twice. */
export async function relayEvents(ctx: Context): Promise<void> {
  const planned = await ctx.db.system.transaction().execute(async (tx) => {
    const events = await takeEvents(tx, takeMax)
    await planFirstPulls(tx, events, ctx.nowMs())
    return events.length > 0 ? planDeliveries(ctx, tx, events) : 0
  })
  if (planned > 0) ctx.engine.wakeWorkers()
}
