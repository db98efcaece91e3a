import type { Delivery } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { listDeliveries as listRows } from './delivery.store.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentDelivery } from './present.ts'

/** How many deliveries of a webhook can be looked at. */
export const deliveriesKept = 100

export async function listDeliveries(scope: RequestScope, id: string): Promise<Delivery[]> {
  await requireWebhook(scope, id)
  const rows = await listRows(scope.tx, { workspaceId: scope.principal.workspaceId, id }, deliveriesKept)
  return rows.map(presentDelivery)
}
