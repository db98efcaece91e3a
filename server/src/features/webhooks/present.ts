import type { Delivery, Webhook } from '@carillon/contract'
import type { DeliveryRow } from './delivery.store.ts'
import type { WebhookRow } from './webhook.store.ts'

/** The secret is whole only in the answer that made it. */
export function presentWebhook(row: WebhookRow, secret = `whsec_…${row.secret_hint}`): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    secret,
    active: row.active,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    event: row.event,
    url: row.url,
    status: row.status,
    statusCode: row.status_code,
    attempts: row.attempts,
    responseBody: row.response_body,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
