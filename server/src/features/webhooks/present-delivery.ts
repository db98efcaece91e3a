import type { Delivery } from '@carillon/contract'
import type { DeliveryRow } from './delivery.store.ts'
import { maskAddress } from './mask-address.ts'

/** What a receiver answers may repeat the path of its address, so it is shown to the same people. */
export function presentDelivery(row: DeliveryRow, { isWhole }: { isWhole: boolean }): Delivery {
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
