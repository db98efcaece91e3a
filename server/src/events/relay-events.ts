import { planFirstPulls } from '../analytics/plan-first-pulls.ts'
import type { Context } from '../context.ts'
import { planDeliveries } from '../webhooks/plan-deliveries.ts'
import { takeEvents } from './outbox.store.ts'

const takeMax = 1000

/** Turns what happened into deliveries, in one transaction: an event is either still noted or has become its deliveries. */
export async function relayEvents(ctx: Context): Promise<void> {
  const planned = await ctx.db.system.transaction().execute(async (tx) => {
    const happenings = await takeEvents(tx, takeMax)
    await planFirstPulls(tx, happenings, ctx.nowMs())
    return happenings.length > 0 ? planDeliveries(ctx, tx, happenings) : 0
  })
  if (planned > 0) ctx.engine.nudge()
}
