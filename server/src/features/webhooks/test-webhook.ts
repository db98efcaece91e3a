import type { Delivery } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { ensureWebhookRow } from './account/account-webhook.store.ts'
import { composeDelivery } from './compose-delivery.ts'
import { findDelivery, insertDeliveries } from './delivery.store.ts'
import { requireReceiver, type Receiver } from './get-webhook.ts'
import { presentDelivery } from './present-delivery.ts'

/** Sends a `webhook.test` event, even if the webhook is not subscribed to it. */
export async function testWebhook(scope: RequestScope, id: string): Promise<Delivery> {
  return sendTest(scope, await requireReceiver(scope, id))
}

export async function sendTest({ ctx, tx, nowMs, afterCommit }: RequestScope, webhook: Receiver): Promise<Delivery> {
  if (webhook.isOfAccount) await ensureWebhookRow(tx, webhook, new Date(nowMs))
  const deliveryId = newUuid()
  const data = { webhookId: webhook.id, message: 'This is a test. If you can verify its signature, events will reach you.' }
  await insertDeliveries(tx, [composeDelivery({ webhook, deliveryId, event: 'webhook.test', atMs: nowMs, nowMs, data })])
  afterCommit(() => ctx.engine.wakeWorkers())
  const row = await findDelivery(tx, webhook, deliveryId)
  if (!row) throw problem('delivery_not_found')
  return presentDelivery(row, webhook)
}
