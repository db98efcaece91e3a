import type { EventName } from '@carillon/contract'
import type { NewDelivery } from './delivery.store.ts'

type Told = {
  webhook: { workspaceId: string; id: string; url: string }
  deliveryId: string
  event: EventName
  /** When it happened; the delivery itself may be made a little later. */
  atMs: number
  nowMs: number
  data: Record<string, unknown>
}

/** A delivery with the body that every attempt sends, byte for byte. */
export function composeDelivery({ webhook, deliveryId, event, atMs, nowMs, data }: Told): NewDelivery {
  const { workspaceId, id: webhookId, url } = webhook
  const body = JSON.stringify({ event, deliveryId, timestamp: new Date(atMs).toISOString(), workspaceId, data })
  return { workspaceId, webhookId, id: deliveryId, event, url, body, at: new Date(nowMs) }
}
