import { freePort } from '@carillon/stack/services'
import type { StackInfo } from '@carillon/stack'
import { createCarillon } from '@carillon/sdk'

export type UndeliverableWebhook = { webhookId: string; deliveryId: string }

/** Sends an event to a closed port. Its retries take five minutes, so it is sent before the first test and the last test reads it. */
export async function sendUndeliverableWebhook({ baseUrl, apiKey, workspaceId }: StackInfo): Promise<UndeliverableWebhook> {
  const { webhooks } = createCarillon({ baseUrl, apiKey, workspaceId })
  const url = `https://127.0.0.1:${await freePort()}/closed`
  const { id } = await webhooks.create({ url, events: ['connection.needs_reconnect'] })
  const delivery = await webhooks.test(id)
  return { webhookId: id, deliveryId: delivery.id }
}
