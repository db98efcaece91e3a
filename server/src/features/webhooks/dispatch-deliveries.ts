import type { Context } from '../../context.ts'
import { claimDeliveries, releaseDeliveries, type Claimed } from './dispatch.store.ts'
import { deliverJob, jobKey, type DeliveryRef } from './jobs.ts'

const horizonMs = 5_000
/** An attempt takes ten seconds at most; who has not been heard of by then is lost. */
const lostAfterMs = 60_000
const claimMax = 500
/**
 * Deliveries of one webhook on their way at a time, retries included. Without this bound an endpoint that hangs would, with a thousand
 * events, take every slot of the engine and every socket, and all other webhooks and posts would wait for its time-outs.
 */
const perWebhookMax = 10

/** Takes the deliveries that are due and hands each to the engine. Says whether there may be more. */
export async function dispatchDeliveries(ctx: Context): Promise<boolean> {
  const claimed = await claimDeliveries(ctx.db.system, { horizonMs, lostAfterMs, perWebhook: perWebhookMax, limit: claimMax })
  const refused: Claimed[] = []
  const causes: unknown[] = []
  await Promise.all(
    claimed.map((each) =>
      handOver(ctx, each).catch((error: unknown) => {
        refused.push(each)
        causes.push(error)
      }),
    ),
  )
  if (refused.length > 0) {
    // Perhaps some were accepted and only the answer was lost; the next claim's generation makes those runs stale ones.
    await releaseDeliveries(ctx.db.system, refused)
    throw new Error(`the engine did not take ${refused.length} of ${claimed.length} deliveries`, { cause: causes[0] })
  }
  return claimed.length === claimMax
}

function handOver(ctx: Context, { nextAttemptAt, ...claimed }: Claimed): Promise<void> {
  const ref: DeliveryRef = claimed
  return ctx.engine.send(deliverJob(ref, Math.max(0, nextAttemptAt.getTime() - ctx.nowMs())), jobKey(ref))
}
