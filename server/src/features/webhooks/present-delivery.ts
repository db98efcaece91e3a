import type { Delivery } from '@carillon/contract'
import type { DeliveryRow } from './delivery.store.ts'

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    event: row.event,
    url: row.url,
    status: row.status,
    statusCode: row.status_code,
    attempts: row.attempts,
    requestBody: row.body,
    durationMs: row.duration_ms,
    responseBody: row.response_body,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
