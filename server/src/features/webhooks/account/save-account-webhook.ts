import type { AccountWebhook, BodyOf, accountWebhooks } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { lockQuota } from '../../../infra/quota/quota.store.ts'
import { findUrlProblem } from '../create-webhook.ts'
import { newSecret, sealSecret, secretHint } from '../secret.ts'
import { changedColumns } from '../webhook.store.ts'
import { insertAccountWebhook, listAccountWebhooks, updateAccountWebhook } from './account-webhook.store.ts'
import { present, recordForPerson, requireAccountWebhook } from './account-webhooks.ts'

type NewWebhook = BodyOf<typeof accountWebhooks.create>
type Change = BodyOf<typeof accountWebhooks.update>

/** Makes a webhook for every workspace in which the person is owner or admin, now or later. The URL is checked as in `createWebhook`. */
export async function createAccountWebhook({ ctx, body }: { ctx: Context; body: NewWebhook }): Promise<Prepared<AccountWebhook>> {
  const urlProblem = await findUrlProblem(ctx, body.url)
  return {
    fingerprint: null,
    store: async (scope) => {
      if (urlProblem) throw urlProblem
      return storeNew(scope, body)
    },
    discard: async () => {},
  }
}

/** This answer is the only one that shows the whole secret. */
async function storeNew(
  scope: RequestScope,
  { url, events, retries, secret = newSecret() }: NewWebhook,
): Promise<Answer<AccountWebhook>> {
  const { ctx, tx, principal, nowMs } = scope
  const { personId } = principal
  await guardQuota(ctx, tx, personId)
  const id = newId(nowMs)
  const row = await insertAccountWebhook(tx, {
    id,
    person_id: personId,
    url,
    events,
    secret_sealed: sealSecret(ctx, { workspaceId: '', id }, 'secret', secret),
    secret_hint: secretHint(secret),
    active: true,
    ...(retries !== undefined && { retries }),
    created_at: new Date(nowMs),
    updated_at: new Date(nowMs),
  })
  await recordForPerson(scope, 'account_webhook.create', url)
  const withoutSecret = await present(scope, row)
  return new Answer({ ...withoutSecret, secret }, { subjectId: id, withoutSecret })
}

/** As many as a workspace may have. Those of workspaces are counted there. */
async function guardQuota({ config }: Context, tx: Tx, personId: string): Promise<void> {
  const max = config.quotas.webhooks
  if (max === Infinity) return
  await lockQuota(tx, `account webhooks ${personId}`)
  if ((await listAccountWebhooks(tx, personId)).length >= max)
    throw problem('quota_reached', {
      message: `Your account has ${max} webhooks, the most that this installation allows. Remove one, or ask its operator for more.`,
    })
}

type ChangeCall = { ctx: Context; params: { id: string }; body: Change }

export async function changeAccountWebhook({ ctx, params, body }: ChangeCall): Promise<Prepared<AccountWebhook>> {
  const urlProblem = body.url === undefined ? null : await findUrlProblem(ctx, body.url)
  return {
    fingerprint: null,
    store: async (scope) => {
      await requireAccountWebhook(scope, params.id)
      if (urlProblem) throw urlProblem
      return storeChange(scope, params.id, body)
    },
    discard: async () => {},
  }
}

async function storeChange(scope: RequestScope, id: string, change: Change): Promise<AccountWebhook> {
  const { tx, principal, nowMs } = scope
  const row = await updateAccountWebhook(tx, { personId: principal.personId, id }, changedColumns(change, nowMs))
  if (!row) throw problem('webhook_not_found')
  await recordForPerson(scope, 'account_webhook.update', row.url)
  return present(scope, row)
}
