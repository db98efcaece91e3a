import { freePort } from '@carillon/stack/services'
import type { StackInfo } from '@carillon/stack'
import { createCarillon } from '@carillon/sdk'

export type DoomedDelivery = { webhookId: string; deliveryId: string }

/** A delivery to where nobody listens. All its retries take five minutes, so it is sent before the first test and looked at by the last. */
export async function sendDoomedDelivery({ baseUrl, apiKey, workspaceId }: StackInfo): Promise<DoomedDelivery> {
  const { webhooks } = createCarillon({ baseUrl, apiKey, workspaceId })
  const url = `https://127.0.0.1:${await freePort()}/nobody`
  const { id } = await webhooks.create({ url, events: ['connection.needs_reconnect'] })
  const delivery = await webhooks.test(id)
  return { webhookId: id, deliveryId: delivery.id }
}
