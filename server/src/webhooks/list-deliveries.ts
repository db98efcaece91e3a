import type { Delivery } from '@carillon/contract'
import type { Asked } from '../http/call.ts'
import { listDeliveries as listRows } from './delivery.store.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentDelivery } from './present.ts'

/** How many deliveries of a webhook can be looked at. */
export const deliveriesKept = 100

export async function listDeliveries(asked: Asked, id: string): Promise<Delivery[]> {
  await requireWebhook(asked, id)
  const rows = await listRows(asked.tx, { workspaceId: asked.principal.workspaceId, id }, deliveriesKept)
  return rows.map(presentDelivery)
}
