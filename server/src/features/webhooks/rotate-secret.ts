import type { Webhook } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { requireWebhook } from './get-webhook.ts'
import { presentWebhook } from './present.ts'
import { newSecret, openSecret, sealSecret, secretHint } from './secret.ts'
import { updateWebhook } from './webhook.store.ts'

/** How long the previous secret signs along, for receivers that have not heard of the new one. */
const overlapMs = 24 * 60 * 60 * 1000

export async function rotateSecret(scope: RequestScope, id: string): Promise<Webhook> {
  const { ctx, tx, principal, nowMs } = scope
  const key = { workspaceId: principal.workspaceId, id }
  // Locked: of two rotations at once, the second must see the first one's secret as the previous.
  const before = await requireWebhook(scope, id, true)
  const secret = newSecret()
  const previous = openSecret(ctx, key, 'secret', before.secret_sealed)
  const row = await updateWebhook(tx, key, {
    secret_sealed: sealSecret(ctx, key, 'secret', secret),
    secret_hint: secretHint(secret),
    // A sealed value is bound to its column, so it is sealed anew for this one.
    previous_secret_sealed: sealSecret(ctx, key, 'previous_secret', previous),
    previous_secret_until: new Date(nowMs + overlapMs),
    updated_at: new Date(nowMs),
  })
  if (!row) throw problem('webhook_not_found')
  return presentWebhook(row, secret)
}
