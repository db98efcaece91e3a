import type { EventName } from '@carillon/contract'
import type { NewDelivery } from './delivery.store.ts'

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
