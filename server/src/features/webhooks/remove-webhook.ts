import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { requireWebhook } from './get-webhook.ts'
import { deleteWebhook } from './webhook.store.ts'

/** Removes a webhook with all its deliveries, including those not sent yet. */
export async function removeWebhook(scope: RequestScope, id: string): Promise<null> {
  await requireWebhook(scope, id)
  if (!(await deleteWebhook(scope.tx, { workspaceId: scope.principal.workspaceId, id }))) throw problem('webhook_not_found')
  return null
}
