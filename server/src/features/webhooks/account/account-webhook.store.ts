import type { EventName } from '@carillon/contract'
import { type Insertable, type Selectable, type Updateable, sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { AccountWebhookTable } from '../../../infra/db/tables.ts'
import type { Subscriber, WebhookKey } from '../webhook.store.ts'

export type AccountWebhookRow = Selectable<AccountWebhookTable>

/** A webhook of an account belongs to no workspace. */
type AccountKey = { personId: string; id: string }

export async function insertAccountWebhook(system: Tx, row: Insertable<AccountWebhookTable>): Promise<AccountWebhookRow> {
  return system.insertInto('account_webhook').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function listAccountWebhooks(system: Tx, personId: string): Promise<AccountWebhookRow[]> {
  return system.selectFrom('account_webhook').where('person_id', '=', personId).selectAll().orderBy('id').execute()
}

/** `lock` keeps the row unchanged until the transaction ends. */
export async function findAccountWebhook(
  system: Tx,
  { personId, id }: AccountKey,
  lock = false,
): Promise<AccountWebhookRow | undefined> {
  let query = system.selectFrom('account_webhook').where('id', '=', id).where('person_id', '=', personId).selectAll()
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

export async function updateAccountWebhook(
  system: Tx,
  { personId, id }: AccountKey,
  change: Updateable<AccountWebhookTable>,
): Promise<AccountWebhookRow | undefined> {
  return system
    .updateTable('account_webhook')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .set(change)
    .returningAll()
    .executeTakeFirst()
}

/** Its rows in workspaces and their deliveries are deleted with it. */
export async function deleteAccountWebhook(system: Tx, { personId, id }: AccountKey): Promise<AccountWebhookRow | undefined> {
  return system
    .deleteFrom('account_webhook')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .returningAll()
    .executeTakeFirst()
}

/** Disables it for all workspaces, unless its URL has changed since. */
export async function disableAccountWebhook(
  system: Db,
  id: string,
  { url, reason, at }: { url: string; reason: string; at: Date },
): Promise<void> {
  await system
    .updateTable('account_webhook')
    .where('id', '=', id)
    .where('url', '=', url)
    .where('active', '=', true)
    .set({ active: false, disabled_reason: reason, updated_at: at })
    .execute()
}

/** A workspace in which the person is owner or admin. `receives`: it sends events to the webhooks of the account. */
export type ReceivingWorkspace = { id: string; name: string; receives: boolean }

/** Oldest first. */
export async function listReceivingWorkspaces(system: Tx, personId: string): Promise<ReceivingWorkspace[]> {
  return system
    .selectFrom('member as m')
    .innerJoin('workspace', 'workspace.id', 'm.workspace_id')
    .where('m.person_id', '=', personId)
    .where('m.role', 'in', ['owner', 'admin'])
    .select(['workspace.id', 'workspace.name', receives.as('receives')])
    .orderBy('workspace.id')
    .execute()
}

/** A webhook of a member's account, as the workspace sees it. */
export type MembersWebhook = AccountWebhookRow & { name: string; email: string; account_webhooks_shut_out: boolean }

/** Those of owners and admins, also those that were shut out. */
export async function listMembersWebhooks(tx: Tx, workspaceId: string, id?: string): Promise<MembersWebhook[]> {
  let query = tx
    .selectFrom('member as m')
    .innerJoin('account_webhook as a', 'a.person_id', 'm.person_id')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.role', 'in', ['owner', 'admin'])
    .selectAll('a')
    .select(['p.name', 'p.email', 'm.account_webhooks_shut_out'])
    .orderBy('a.id')
  if (id !== undefined) query = query.where('a.id', '=', id)
  return query.execute()
}

/** The row to which deliveries of this workspace belong. It has nothing that could become outdated. */
export async function ensureWebhookRow(tx: Tx, { workspaceId, id }: WebhookKey, at: Date): Promise<void> {
  await tx
    .insertInto('webhook')
    .values({
      workspace_id: workspaceId,
      id,
      account_webhook_id: id,
      url: '',
      events: [],
      secret_sealed: Buffer.of(),
      secret_hint: '',
      active: true,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The webhooks of accounts that receive any of these events of these workspaces: of whoever is owner or admin there now. Makes the rows to
 * which their deliveries belong. The locks prevent the removal of a webhook or workspace until the deliveries are stored.
 */
export async function findAccountSubscribers(
  tx: Tx,
  workspaceIds: readonly string[],
  events: readonly EventName[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    with wanted as (
      select m.workspace_id, a.id, a.url, a.events
      from member m
      join account_webhook a on a.person_id = m.person_id
      join workspace w on w.id = m.workspace_id
      where m.workspace_id = any(${[...workspaceIds]}::text[])
        and ${receives}
        and a.active
        and a.events && ${[...events]}::text[]
      order by m.workspace_id, a.id
      for key share of w, a
    ),
    made as (
      insert into webhook (
        workspace_id, id, account_webhook_id, url, events, secret_sealed, secret_hint, active, created_at, updated_at
      )
      select workspace_id, id, id, '', '{}', '', '', true, now(), now()
      from wanted
      on conflict do nothing
    )
    select workspace_id as "workspaceId", id, url, events
    from wanted`.execute(tx)
  return rows
}

/**
 * Whether the account of the member `m` receives events of the workspace: nobody below admin, and nobody whom an owner has shut out. Asked when
 * events are planned and again at each attempt, so that it is true of that moment.
 */
export const receives = sql<boolean>`(m.role in ('owner', 'admin') and not m.account_webhooks_shut_out)`
