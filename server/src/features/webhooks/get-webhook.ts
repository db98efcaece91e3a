import type { Webhook } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { presentWebhook } from './present-webhook.ts'
import { findWebhook, listWebhooks, type WebhookRow } from './webhook.store.ts'

export async function getWebhook(scope: RequestScope, id: string): Promise<Webhook> {
  return presentWebhook(await requireWebhook(scope, id), scope.principal.role)
}

export async function getWebhooks({ tx, principal }: RequestScope): Promise<Webhook[]> {
  return (await listWebhooks(tx, principal.workspaceId)).map((row) => presentWebhook(row, principal.role))
}

/** Throws `webhook_not_found` if there is no such webhook. `lock` keeps its row unchanged until the transaction ends. */
export async function requireWebhook({ tx, principal }: RequestScope, id: string, lock = false): Promise<WebhookRow> {
  const row = await findWebhook(tx, { workspaceId: principal.workspaceId, id }, lock)
  if (!row) throw problem('webhook_not_found')
  return row
}
