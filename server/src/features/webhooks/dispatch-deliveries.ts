import type { Context } from '../../context.ts'
import { claimDeliveries, releaseDeliveries, type ClaimedDelivery } from './dispatch.store.ts'
import { deliverJob, jobKey, type DeliveryRef } from './jobs.ts'
import { listPromptWebhooks } from './prompt-webhooks.ts'

const horizonMs = 5_000
/** An attempt takes ten seconds at most. A claimed delivery without an outcome after this time is claimed again. */
const lostAfterMs = 60_000
const claimMax = 500
/**
 * Deliveries of one webhook that are in progress at a time, retries included. Without this limit, an endpoint that hangs could occupy
 * every slot of the engine and every socket with a thousand events, and all other webhooks and posts would wait for its timeouts.
 */
const perWebhookMax = 10
/** An endpoint that answers promptly occupies its slots briefly. When it stops doing so, it has the limit above from its next answer on. */
const perPromptWebhookMax = 50

/** Claims the deliveries that are due and enqueues a job for each. True if there may be more. */
export async function dispatchDeliveries(ctx: Context): Promise<boolean> {
  const claimed = await claimDeliveries(ctx.db.system, {
    horizonMs,
    lostAfterMs,
    perWebhook: perWebhookMax,
    prompt: { webhookIds: listPromptWebhooks(ctx), perWebhook: perPromptWebhookMax },
    limit: claimMax,
  })
  const refused: ClaimedDelivery[] = []
  const causes: unknown[] = []
  await Promise.all(
    claimed.map((each) =>
      enqueue(ctx, each).catch((error: unknown) => {
        refused.push(each)
        causes.push(error)
      }),
    ),
  )
  if (refused.length > 0) {
    // Some may have been accepted although the response was lost. The next claim raises the generation, so those runs do nothing.
    await releaseDeliveries(ctx.db.system, refused)
    throw new Error(`the engine did not accept ${refused.length} of ${claimed.length} webhook deliveries`, { cause: causes[0] })
  }
  return claimed.length === claimMax
}

function enqueue(ctx: Context, { nextAttemptAt, ...claimed }: ClaimedDelivery): Promise<void> {
  const ref: DeliveryRef = claimed
  return ctx.engine.send(deliverJob(ref, Math.max(0, nextAttemptAt.getTime() - ctx.nowMs())), jobKey(ref))
}
