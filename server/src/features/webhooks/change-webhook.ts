import type { BodyOf, Webhook, webhooks } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { problem } from '../../infra/problem/problem.ts'
import { guardRole } from '../members/find-membership.ts'
import { shutOutAccountWebhooks } from '../members/shut-out-account-webhooks.ts'
import { presentMembersWebhook } from './account/present-account-webhook.ts'
import { chatColumns, findAddressProblem } from './chat/chat-address.ts'
import { findUrlProblem } from './create-webhook.ts'
import { presentWebhook, requireMembersWebhook, requireWebhook } from './get-webhook.ts'
import { newSecret, openSecret, sealSecret, secretHint } from './secret.ts'
import { changedColumns, deleteWebhook, findWebhook, updateWebhook, type WebhookRow } from './webhook.store.ts'

type Change = BodyOf<typeof webhooks.update>
type Call = { ctx: Context; params: { id: string }; body: Change }

/** Changes a webhook. A new URL is checked before the transaction starts, as in `createWebhook`. */
export async function changeWebhook({ ctx, params, body }: Call): Promise<Prepared<Webhook>> {
  const urlProblem = body.url === undefined ? null : await findUrlProblem(ctx, body.url)
  return {
    fingerprint: null,
    store: async (scope) => {
      const own = await findWebhook(scope.tx, { workspaceId: scope.principal.workspaceId, id: params.id })
      if (!own) return shutOutAccount(scope, params.id, body)
      if (urlProblem) throw urlProblem
      return storeChange(scope, own, body)
    },
    discard: async () => {},
  }
}

async function storeChange({ ctx, tx, principal, nowMs }: RequestScope, own: WebhookRow, change: Change): Promise<Webhook> {
  const key = { workspaceId: principal.workspaceId, id: own.id }
  const { url, events, ...others } = change
  if (own.format !== 'json' && url !== undefined) {
    const addressProblem = findAddressProblem(own.format, url)
    if (addressProblem) throw addressProblem
  }
  const columns =
    own.format === 'json'
      ? changedColumns(change, nowMs)
      : { ...changedColumns(others, nowMs), ...chatColumns(ctx, key, { url, events }) }
  const row = await updateWebhook(tx, key, columns)
  if (!row) throw problem('webhook_not_found')
  return presentWebhook(row, principal.role)
}

/** Removes a webhook with all its deliveries, including those not sent yet. */
export async function removeWebhook(scope: RequestScope, id: string): Promise<null> {
  await requireWebhook(scope, id)
  if (!(await deleteWebhook(scope.tx, { workspaceId: scope.principal.workspaceId, id }))) throw problem('webhook_not_found')
  return null
}

/** How long deliveries are also signed with the previous secret, so that receivers have time to install the new one. */
export const overlapMs = 24 * 60 * 60 * 1000

/** This answer is the only one that shows the whole new secret. */
export async function rotateSecret(scope: RequestScope, id: string): Promise<Answer<Webhook>> {
  const { ctx, tx, principal, nowMs } = scope
  const key = { workspaceId: principal.workspaceId, id }
  // The lock makes concurrent rotations run one after the other: the second must see the first one's secret as the previous one.
  const before = await requireWebhook(scope, id, true)
  if (before.format !== 'json') throw problem('webhook_without_secret')
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

/**
 * Ends, or allows again, that events of the workspace go to the account to which this webhook belongs. It is about all webhooks of the account:
 * otherwise its person would only have to make a new one.
 */
async function shutOutAccount(
  scope: RequestScope,
  id: string,
  { active, ...others }: BodyOf<typeof webhooks.update>,
): Promise<Webhook> {
  const { tx, principal } = scope
  const { person_id: personId } = await requireMembersWebhook(scope, id)
  if (active === undefined || Object.keys(others).length > 0) throw problem('webhook_of_account')
  guardRole(principal.role, 'owner')
  await shutOutAccountWebhooks(tx, { workspaceId: principal.workspaceId, personId, isShutOut: !active })
  return presentMembersWebhook(await requireMembersWebhook(scope, id))
}
