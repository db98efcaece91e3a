import type { Delivery } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { findDeliveries } from './delivery.store.ts'
import { requireReceiver } from './get-webhook.ts'
import { presentDelivery } from './present-delivery.ts'

/** How many deliveries of a webhook are kept for the API; older ones are deleted. */
export const deliveriesKept = 100

export async function listDeliveries(scope: RequestScope, id: string): Promise<Delivery[]> {
  const receiver = await requireReceiver(scope, id)
  const rows = await findDeliveries(scope.tx, receiver, deliveriesKept)
  return rows.map((row) => presentDelivery(row, receiver))
}
