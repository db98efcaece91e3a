import type { Delivery, EventName } from '@carillon/contract'
import { isUuid, newUuid } from '../../infra/db/ids.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { ensureWebhookRow } from './account/account-webhook.store.ts'
import {
  type DeliveryRow,
  type NewDelivery,
  findDeliveries,
  findDelivery,
  insertDeliveries,
  resetDelivery,
  resetFailedDeliveries,
} from './delivery.store.ts'
import { composeChatLine, findChatOf, testLine } from './chat/plan-chat-lines.ts'
import { type Receiver, requireReceiver } from './get-webhook.ts'
import { maskAddress } from './mask-address.ts'

/** What a receiver answers may repeat the path of its address, so it is shown to the same people. */
function presentDelivery(row: DeliveryRow, { isWhole }: { isWhole: boolean }): Delivery {
  return {
    id: row.id,
    event: row.event,
    url: isWhole ? row.url : maskAddress(row.url),
    status: row.status,
    statusCode: row.status_code,
    attempts: row.attempts,
    requestBody: row.body,
    durationMs: row.duration_ms,
    responseBody: isWhole ? row.response_body : '',
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

type DeliveryContent = {
  webhook: { workspaceId: string; id: string; url: string }
  deliveryId: string
  event: EventName
  /** When the event happened; the delivery may be created a little later. */
  atMs: number
  nowMs: number
  data: Record<string, unknown>
}

/** Builds a delivery. Its body is fixed here, so that every attempt sends the same bytes. */
export function composeDelivery({ webhook, deliveryId, event, atMs, nowMs, data }: DeliveryContent): NewDelivery {
  const { workspaceId, id: webhookId, url } = webhook
  const body = JSON.stringify({ event, deliveryId, timestamp: new Date(atMs).toISOString(), workspaceId, data })
  return { workspaceId, webhookId, id: deliveryId, event, url, body, at: new Date(nowMs) }
}

/** How many deliveries of a webhook are kept for the API; older ones are deleted. */
export const deliveriesKept = 100

export async function listDeliveries(scope: RequestScope, id: string): Promise<Delivery[]> {
  const receiver = await requireReceiver(scope, id)
  const rows = await findDeliveries(scope.tx, receiver, deliveriesKept)
  return rows.map((row) => presentDelivery(row, receiver))
}

/** Sends a delivery again with the same id, to the current URL of the webhook. */
export async function redeliver(scope: RequestScope, id: string, deliveryId: string): Promise<Delivery> {
  const { ctx, tx, nowMs } = scope
  const receiver = await requireReceiver(scope, id)
  const { url } = receiver
  const row = isUuid(deliveryId) ? await resetDelivery(tx, receiver, { deliveryId, url, at: new Date(nowMs) }) : undefined
  if (!row) throw problem('delivery_not_found')
  scope.afterCommit(() => ctx.engine.wakeWorkers())
  return presentDelivery(row, receiver)
}

/** Sends all deliveries again that failed, among those that are kept. Those that wait or arrived are left alone. */
export async function redeliverFailed(
  scope: RequestScope,
  id: string,
  since: string | undefined,
): Promise<{ redelivered: number }> {
  const { ctx, tx, nowMs } = scope
  const receiver = await requireReceiver(scope, id)
  const redelivered = await resetFailedDeliveries(tx, receiver, {
    url: receiver.url,
    since: since === undefined ? null : new Date(since),
    at: new Date(nowMs),
  })
  if (redelivered > 0) scope.afterCommit(() => ctx.engine.wakeWorkers())
  return { redelivered }
}

/** Sends a `webhook.test` event, even if the webhook is not subscribed to it. */
export async function testWebhook(scope: RequestScope, id: string): Promise<Delivery> {
  return sendTest(scope, await requireReceiver(scope, id))
}

export async function sendTest({ ctx, tx, nowMs, afterCommit }: RequestScope, webhook: Receiver): Promise<Delivery> {
  if (webhook.isOfAccount) await ensureWebhookRow(tx, webhook, new Date(nowMs))
  const deliveryId = newUuid()
  const data = { webhookId: webhook.id, message: 'This is a test. If you can verify its signature, events will reach you.' }
  const chat = webhook.isOfAccount ? undefined : await findChatOf(tx, webhook)
  const delivery = chat
    ? composeChatLine(ctx, chat, { deliveryId, event: 'webhook.test', line: testLine, nowMs })
    : composeDelivery({ webhook, deliveryId, event: 'webhook.test', atMs: nowMs, nowMs, data })
  await insertDeliveries(tx, [delivery])
  afterCommit(() => ctx.engine.wakeWorkers())
  const row = await findDelivery(tx, webhook, deliveryId)
  if (!row) throw problem('delivery_not_found')
  return presentDelivery(row, webhook)
}
