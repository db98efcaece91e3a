import type { EventName, WebhookFormat } from '@carillon/contract'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { WebhookTable } from '../../infra/db/tables.ts'

// Rows that stand for a webhook of an account are left out everywhere here: the workspace does not manage them.

export type WebhookRow = Selectable<WebhookTable>
export type WebhookKey = { workspaceId: string; id: string }

export async function insertWebhook(tx: Tx, row: Insertable<WebhookTable>): Promise<WebhookRow> {
  return tx.insertInto('webhook').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function listWebhooks(tx: Tx, workspaceId: string): Promise<WebhookRow[]> {
  return tx
    .selectFrom('webhook')
    .where('workspace_id', '=', workspaceId)
    .where('account_webhook_id', 'is', null)
    .selectAll()
    .orderBy('id')
    .execute()
}

export async function countWebhooks(tx: Tx, workspaceId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('webhook')
    .where('workspace_id', '=', workspaceId)
    .where('account_webhook_id', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

type Changeable = { url?: string; events?: EventName[]; active?: boolean; retries?: WebhookRow['retries'] }

/** What a change sets, of a webhook and of one of an account. */
export function changedColumns({ url, events, active, retries }: Changeable, nowMs: number) {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(active !== undefined && { active }),
    ...(retries !== undefined && { retries }),
    // Once it is active again, the reason why it was disabled no longer applies. A person who disables it knows the reason.
    ...(active === true && { disabled_reason: null }),
    updated_at: new Date(nowMs),
  }
}

/** `lock` keeps the row unchanged until the transaction ends. */
export async function findWebhook(tx: Tx, { workspaceId, id }: WebhookKey, lock = false): Promise<WebhookRow | undefined> {
  let query = tx
    .selectFrom('webhook')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('account_webhook_id', 'is', null)
    .selectAll()
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

export async function updateWebhook(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  change: Updateable<WebhookTable>,
): Promise<WebhookRow | undefined> {
  return tx
    .updateTable('webhook')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .returningAll()
    .executeTakeFirst()
}

/** Its deliveries are deleted with it. */
export async function deleteWebhook(tx: Tx, { workspaceId, id }: WebhookKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('account_webhook_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Disables a webhook, unless its URL has changed since. */
export async function disableWebhook(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  { url, reason, at }: { url: string; reason: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('webhook')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('url', '=', url)
    .where('active', '=', true)
    .set({ active: false, disabled_reason: reason, updated_at: at })
    .execute()
}

export type ChatWebhook = {
  workspaceId: string
  id: string
  url: string
  format: WebhookFormat
  events: EventName[]
  sealed: Buffer
}

/** The active chats of these workspaces. As `findSubscribers`. */
export async function findChats(tx: Tx, workspaceIds: readonly string[]): Promise<ChatWebhook[]> {
  const { rows } = await sql<ChatWebhook>`
    select workspace_id as "workspaceId", id, url, format, chat_events as events, address_sealed as sealed
    from webhook
    where workspace_id = any(${[...workspaceIds]}::text[]) and format <> 'json' and active and address_sealed is not null
    order by workspace_id, id
    for key share`.execute(tx)
  return rows
}

export type Subscriber = { workspaceId: string; id: string; url: string; events: EventName[] }

/**
 * The active webhooks of these workspaces that are subscribed to any of these events, without those of accounts. Across workspaces, because the relay delivers the
 * events of all workspaces. `for key share` prevents their removal until the deliveries for them are stored.
 */
export async function findSubscribers(
  tx: Tx,
  workspaceIds: readonly string[],
  events: readonly EventName[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select workspace_id as "workspaceId", id, url, events
    from webhook
    where workspace_id = any(${[...workspaceIds]}::text[])
      and account_webhook_id is null
      and active
      and events && ${[...events]}::text[]
    order by workspace_id, id
    for key share`.execute(tx)
  return rows
}
