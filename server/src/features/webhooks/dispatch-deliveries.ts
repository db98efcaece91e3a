import type { Context } from '../../context.ts'
import { chunk } from '../../infra/engine/in-parallel.ts'
import { claimDeliveries, releaseDeliveries, type ClaimedDelivery } from './dispatch.store.ts'
import { deliverAllJob, deliverJob, jobKey, type DeliveryRef } from './jobs.ts'
import { listPromptWebhooks } from './prompt-webhooks.ts'
import type { WebhookKey } from './webhook.store.ts'

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
const perPromptWebhookMax = 200

/** Deliveries of one webhook that share a run and the transaction that stores their outcomes. */
const batchMax = 25

/** The webhook after which the next claim of this process begins. */
function createTurn() {
  return { value: { after: null as WebhookKey | null } }
}

/**
 * Claims the deliveries that are due and enqueues jobs for them. True if there may be more at once. When thousands of webhooks wait for their
 * own deliveries in progress, one pass looks at some of them, and the next pass continues.
 */
export async function dispatchDeliveries(ctx: Context): Promise<boolean> {
  const turn = ctx.resources.get(createTurn, ctx)
  const { after } = turn
  const { claimed, end } = await claimDeliveries(ctx.db.system, {
    horizonMs,
    lostAfterMs,
    perWebhook: perWebhookMax,
    prompt: { webhookIds: listPromptWebhooks(ctx), perWebhook: perPromptWebhookMax },
    limit: claimMax,
    after,
  })
  turn.after = end
  const refused: ClaimedDelivery[] = []
  const causes: unknown[] = []
  await Promise.all(
    batches(ctx, claimed).map((batch) =>
      enqueue(ctx, batch).catch((error: unknown) => {
        refused.push(...batch)
        causes.push(error)
      }),
    ),
  )
  if (refused.length > 0) {
    // Some may have been accepted although the response was lost. The next claim raises the generation, so those runs do nothing.
    await releaseDeliveries(ctx.db.system, refused)
    throw new Error(`the engine did not accept ${refused.length} of ${claimed.length} webhook deliveries`, { cause: causes[0] })
  }
  if (claimed.length === claimMax) return true
  return end ? claimed.length > 0 : after !== null
}

/** Deliveries that are due already are grouped by workspace and webhook; one that is due a little later has a job of its own. */
function batches(ctx: Context, claimed: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const groups = Map.groupBy(claimed, ({ workspaceId, webhookId, deliveryId, nextAttemptAt }) =>
    nextAttemptAt.getTime() > ctx.nowMs() ? deliveryId : `${workspaceId} ${webhookId}`,
  )
  return [...groups.values()].flatMap((group) => chunk(group, batchMax))
}

async function enqueue(ctx: Context, batch: readonly ClaimedDelivery[]): Promise<void> {
  const [first] = batch
  if (!first) return
  const refs = batch.map(refOf)
  const delayMs = Math.max(0, first.nextAttemptAt.getTime() - ctx.nowMs())
  await ctx.engine.send(refs.length === 1 ? deliverJob(refOf(first), delayMs) : deliverAllJob(refs), jobKey(first))
}

function refOf({ workspaceId, webhookId, deliveryId, generation }: ClaimedDelivery): DeliveryRef {
  return { workspaceId, webhookId, deliveryId, generation }
}
