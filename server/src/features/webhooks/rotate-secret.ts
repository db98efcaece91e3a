import type { Webhook } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentWebhook } from './present-webhook.ts'
import { newSecret, openSecret, sealSecret, secretHint } from './secret.ts'
import { updateWebhook } from './webhook.store.ts'

/** How long deliveries are also signed with the previous secret, so that receivers have time to install the new one. */
export const overlapMs = 24 * 60 * 60 * 1000

/** This answer is the only one that shows the whole new secret. */
export async function rotateSecret(scope: RequestScope, id: string): Promise<Answer<Webhook>> {
  const { ctx, tx, principal, nowMs } = scope
  const key = { workspaceId: principal.workspaceId, id }
  // The lock makes concurrent rotations run one after the other: the second must see the first one's secret as the previous one.
  const before = await requireWebhook(scope, id, true)
  const secret = newSecret()
  const previous = openSecret(ctx, key, 'secret', before.secret_sealed)
  const row = await updateWebhook(tx, key, {
    secret_sealed: sealSecret(ctx, key, 'secret', secret),
    secret_hint: secretHint(secret),
    // A sealed value is bound to its column, so the secret is sealed again for this column.
    previous_secret_sealed: sealSecret(ctx, key, 'previous_secret', previous),
    previous_secret_until: new Date(nowMs + overlapMs),
    updated_at: new Date(nowMs),
  })
  if (!row) throw problem('webhook_not_found')
  return new Answer(presentWebhook(row, principal.role, secret), {
    subjectId: id,
    withoutSecret: presentWebhook(row, principal.role),
  })
}
