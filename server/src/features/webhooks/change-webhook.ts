import type { BodyOf, Webhook, webhooks } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentWebhook } from './present.ts'
import { refuseUrl } from './refuse-url.ts'
import { updateWebhook } from './webhook.store.ts'

export async function changeWebhook(
  scope: RequestScope,
  id: string,
  { url, events, active }: BodyOf<typeof webhooks.update>,
): Promise<Webhook> {
  const { ctx, tx, principal, nowMs } = scope
  // Not locked: asking for the name's addresses may take seconds.
  await requireWebhook(scope, id)
  if (url !== undefined) await refuseUrl(ctx, url)
  const row = await updateWebhook(
    tx,
    { workspaceId: principal.workspaceId, id },
    {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(active !== undefined && { active }),
      // Why it was switched off no longer matters once it is on; a person who switches it off knows why.
      ...(active === true && { disabled_reason: null }),
      updated_at: new Date(nowMs),
    },
  )
  if (!row) throw problem('webhook_not_found')
  return presentWebhook(row)
}
