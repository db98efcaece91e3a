import type { Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { deleteWebhook } from './webhook.store.ts'

/** Its deliveries go too, those still waiting included. */
export async function removeWebhook({ tx, principal }: Asked, id: string): Promise<null> {
  if (!(await deleteWebhook(tx, { workspaceId: principal.workspaceId, id }))) throw problem('webhook_not_found')
  return null
}
