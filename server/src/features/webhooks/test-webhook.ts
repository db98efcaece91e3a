import type { Delivery } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { composeDelivery } from './compose-delivery.ts'
import { findDelivery, insertDeliveries } from './delivery.store.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentDelivery } from './present-delivery.ts'

/** Sends a `webhook.test` event, even if the webhook is not subscribed to it. */
export async function testWebhook(scope: RequestScope, id: string): Promise<Delivery> {
  const { ctx, tx, principal, nowMs } = scope
  const { workspaceId } = principal
  const { url } = await requireWebhook(scope, id)
  const deliveryId = newUuid()
  const data = { webhookId: id, message: 'This is a test. If you can verify its signature, events will reach you.' }
  await insertDeliveries(tx, [
    composeDelivery({ webhook: { workspaceId, id, url }, deliveryId, event: 'webhook.test', atMs: nowMs, nowMs, data }),
  ])
  scope.afterCommit(() => ctx.engine.wakeWorkers())
  const row = await findDelivery(tx, { workspaceId, id }, deliveryId)
  if (!row) throw problem('delivery_not_found')
  return presentDelivery(row, principal.role)
}
