import type { Delivery } from '@carillon/contract'
import type { Asked } from '../http/call.ts'
import { isUuid } from '../ids.ts'
import { problem } from '../problem.ts'
import { resetDelivery } from './delivery.store.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentDelivery } from './present.ts'

/** Sends a delivery once more under the same id, to where the webhook points now. */
export async function redeliver(asked: Asked, id: string, deliveryId: string): Promise<Delivery> {
  const { ctx, tx, principal, nowMs } = asked
  const { url } = await requireWebhook(asked, id)
  const key = { workspaceId: principal.workspaceId, id }
  const row = isUuid(deliveryId) ? await resetDelivery(tx, key, { deliveryId, url, at: new Date(nowMs) }) : undefined
  if (!row) throw problem('delivery_not_found')
  asked.afterCommit(() => ctx.engine.nudge())
  return presentDelivery(row)
}
