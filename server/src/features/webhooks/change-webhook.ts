import type { BodyOf, Webhook, webhooks } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { problem } from '../../infra/problem/problem.ts'
import { shutOutAccount } from './account/shut-out-account.ts'
import { findUrlProblem } from './find-url-problem.ts'
import { presentWebhook } from './present-webhook.ts'
import { changedColumns, findWebhook, updateWebhook } from './webhook.store.ts'

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
      return storeChange(scope, params.id, body)
    },
    discard: async () => {},
  }
}

async function storeChange({ tx, principal, nowMs }: RequestScope, id: string, change: Change): Promise<Webhook> {
  const row = await updateWebhook(tx, { workspaceId: principal.workspaceId, id }, changedColumns(change, nowMs))
  if (!row) throw problem('webhook_not_found')
  return presentWebhook(row, principal.role)
}
