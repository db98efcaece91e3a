import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { deleteWebhook } from './webhook.store.ts'

/** Removes a webhook with all its deliveries, including those not sent yet. */
export async function removeWebhook({ tx, principal }: RequestScope, id: string): Promise<null> {
  if (!(await deleteWebhook(tx, { workspaceId: principal.workspaceId, id }))) throw problem('webhook_not_found')
  return null
}
