import type { Delivery } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { isUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { resetDelivery, resetFailedDeliveries } from './delivery.store.ts'
import { requireReceiver } from './get-webhook.ts'
import { presentDelivery } from './present-delivery.ts'

/** Sends a delivery again with the same id, to the current URL of the webhook. */
export async function redeliver(scope: RequestScope, id: string, deliveryId: string): Promise<Delivery> {
  const { ctx, tx, nowMs } = scope
  const receiver = await requireReceiver(scope, id)
  const { url } = receiver
  const row = isUuid(deliveryId) ? await resetDelivery(tx, receiver, { deliveryId, url, at: new Date(nowMs) }) : undefined
  if (!row) throw problem('delivery_not_found')
  scope.afterCommit(() => ctx.engine.wakeWorkers())
  return presentDelivery(row, receiver)
}

/** Sends all deliveries again that failed, among those that are kept. Those that wait or arrived are left alone. */
export async function redeliverFailed(
  scope: RequestScope,
  id: string,
  since: string | undefined,
): Promise<{ redelivered: number }> {
  const { ctx, tx, nowMs } = scope
  const receiver = await requireReceiver(scope, id)
  const redelivered = await resetFailedDeliveries(tx, receiver, {
    url: receiver.url,
    since: since === undefined ? null : new Date(since),
    at: new Date(nowMs),
  })
  if (redelivered > 0) scope.afterCommit(() => ctx.engine.wakeWorkers())
  return { redelivered }
}
