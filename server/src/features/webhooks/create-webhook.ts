import type { BodyOf, Webhook, webhooks } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { newId } from '../../infra/db/ids.ts'
import { presentWebhook } from './present.ts'
import { refuseUrl } from './refuse-url.ts'
import { newSecret, sealSecret, secretHint } from './secret.ts'
import { insertWebhook } from './webhook.store.ts'

/** Registers an endpoint. The answer is the only one that shows the secret whole. */
export async function createWebhook(
  { ctx, tx, principal, nowMs }: RequestScope,
  { url, events, secret = newSecret() }: BodyOf<typeof webhooks.create>,
): Promise<Answer<Webhook>> {
  await refuseUrl(ctx, url)
  const { workspaceId } = principal
  const id = newId(nowMs)
  const row = await insertWebhook(tx, {
    workspace_id: workspaceId,
    id,
    url,
    events,
    secret_sealed: sealSecret(ctx, { workspaceId, id }, 'secret', secret),
    secret_hint: secretHint(secret),
    active: true,
    created_at: new Date(nowMs),
    updated_at: new Date(nowMs),
  })
  return new Answer(presentWebhook(row, secret), { subjectId: id })
}
