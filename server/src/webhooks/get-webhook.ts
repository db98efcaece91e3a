import type { Webhook } from '@carillon/contract'
import type { Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { presentWebhook } from './present.ts'
import { findWebhook, listWebhooks, type WebhookRow } from './webhook.store.ts'

export async function getWebhook(asked: Asked, id: string): Promise<Webhook> {
  return presentWebhook(await requireWebhook(asked, id))
}

export async function getWebhooks({ tx, principal }: Asked): Promise<Webhook[]> {
  return (await listWebhooks(tx, principal.workspaceId)).map((row) => presentWebhook(row))
}

/** The webhook, or the answer that there is none. */
export async function requireWebhook({ tx, principal }: Asked, id: string, lock = false): Promise<WebhookRow> {
  const row = await findWebhook(tx, { workspaceId: principal.workspaceId, id }, lock)
  if (!row) throw problem('webhook_not_found')
  return row
}
