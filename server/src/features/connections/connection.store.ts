import type { ConnectionStatusCode } from '@carillon/contract'
import { type RawBuilder, sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { type Db, type Tx, runStatement } from '../../infra/db/db.ts'
import type { ConnectionTable } from '../../infra/db/tables.ts'

export type ConnectionRow = Selectable<ConnectionTable>

/** Every query here leaves out disconnected connections, unless its name or comment says otherwise. */
const isLive = sql<boolean>`status <> 'disconnected'`

export async function listConnections(tx: Tx, workspaceId: string, externalId?: string): Promise<ConnectionRow[]> {
  const live = tx.selectFrom('connection').where('workspace_id', '=', workspaceId).where(isLive)
  const found = externalId === undefined ? live : live.where('external_id', '=', externalId)
  return found.selectAll().orderBy('id').execute()
}

export type AccountRow = Pick<
  ConnectionRow,
  | 'id'
  | 'slug'
  | 'platform'
  | 'display_name'
  | 'account_id'
  | 'status'
  | 'status_reason'
  | 'token_expires_at'
  | 'token_renewable'
  | 'capabilities'
  | 'capabilities_at'
>

const bySlugs = `
  select id, slug, platform, display_name, account_id, status, status_reason, token_expires_at, token_renewable, capabilities, capabilities_at
  from connection
  where workspace_id = $1 and slug = any($2) and status <> 'disconnected'`

export async function findBySlugs(tx: Tx, workspaceId: string, slugs: readonly string[]): Promise<AccountRow[]> {
  return runStatement(tx, bySlugs, [workspaceId, [...slugs]])
}

export async function findConnection(db: Db | Tx, workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
  const row = await findAnyConnection(db, { workspaceId, id })
  return row?.status === 'disconnected' ? undefined : row
}

/** Also finds a disconnected connection, whose channels in flight still need its credentials. */
export async function findAnyConnection(
  db: Db | Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ConnectionRow | undefined> {
  return db.selectFrom('connection').where('workspace_id', '=', workspaceId).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Finds a connection by the account that signed in, whichever page was chosen since. An account id is unique only on its own server. */
export async function findByAccount(
  tx: Tx,
  workspaceId: string,
  { platform, accountIds, instanceUrl }: { platform: string; accountIds: readonly string[]; instanceUrl: string | null },
): Promise<ConnectionRow | undefined> {
  return tx
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('platform', '=', platform)
    .where(sql<string>`coalesce(sign_in_id, account_id)`, 'in', accountIds)
    .where('instance_url', 'is not distinct from', instanceUrl)
    .where(isLive)
    .selectAll()
    .orderBy('id')
    .executeTakeFirst()
}

/** Whether a connection of the workspace has this id of the client's own system. */
export async function hasExternalId(tx: Tx, workspaceId: string, externalId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('external_id', '=', externalId)
    .where(isLive)
    .select('id')
    .executeTakeFirst()
  return found !== undefined
}

/** Accounts are connected one at a time per workspace, so that two concurrent requests create neither a duplicate nor the same slug. */
export async function lockConnecting(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`connect ${workspaceId}`}, 2))`.execute(tx)
}

export async function findSlugs(tx: Tx, workspaceId: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('connection').where('workspace_id', '=', workspaceId).where(isLive).select('slug').execute()
  return new Set(rows.map((row) => row.slug))
}

const insertMax = 2000

export async function insertConnections(tx: Tx, rows: Insertable<ConnectionTable>[]): Promise<void> {
  // PostgreSQL accepts at most 65,535 parameters per statement.
  for (let at = 0; at < rows.length; at += insertMax)
    await tx
      .insertInto('connection')
      .values(rows.slice(at, at + insertMax))
      .execute()
}

type Key = { workspaceId: string; id: string }

export async function updateConnection(tx: Tx, key: Key, change: Updateable<ConnectionTable>): Promise<void> {
  await tx
    .updateTable('connection')
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.id)
    .where(isLive)
    .set(change)
    .execute()
}

/** `tokenRenewedAtMs` is when the token was issued that the caller has seen. */
export type TokenKey = Key & { tokenRenewedAtMs: number }

type NewToken = { sealed: Buffer; expiresAt: Date | null; at: Date; isRenewable: boolean | null }

/** Stores a new token if the connection still has the one that it replaces. A disconnected connection stays disconnected. */
export async function replaceToken(db: Db, key: TokenKey, { sealed, expiresAt, at, isRenewable }: NewToken): Promise<void> {
  await updateIfTokenUnchanged(db, key)
    .set({
      credentials_sealed: sealed,
      token_expires_at: expiresAt,
      // Always another time than before, because the time tells one token from the next.
      token_renewed_at: new Date(Math.max(at.getTime(), key.tokenRenewedAtMs + 1)),
      token_renewable: isRenewable,
      renew_failures: 0,
      renew_after: null,
      renewing_until: null,
      status: sql`case status when 'disconnected' then status else 'active' end`,
      status_reason: null,
      status_code: null,
      updated_at: at,
    })
    .execute()
}

/** Stores when the next renewal may be tried, if the connection still has the same token. */
export async function delayRenewal(db: Db, key: TokenKey, { failures, until }: { failures: number; until: Date }): Promise<void> {
  await updateIfTokenUnchanged(db, key).set({ renew_failures: failures, renew_after: until, renewing_until: null }).execute()
}

/** A process asks for a new token, after the run that wanted it has ended. Until then, no other one asks with the same token. */
export async function keepRenewing(db: Db, key: TokenKey, until: Date): Promise<void> {
  await updateIfTokenUnchanged(db, key).set({ renewing_until: until }).execute()
}

function updateIfTokenUnchanged(db: Db, { workspaceId, id, tokenRenewedAtMs }: TokenKey) {
  return db
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('token_renewed_at', '=', new Date(tokenRenewedAtMs))
}

/** `code` is absent if only the time tells whether the token was refused or had ended. */
export type ReconnectReason = { reason: string; code?: ConnectionStatusCode }

/** True if this call changed the status. With `tokenRenewedAtMs`, only if the token is still the one that was issued at this time. */
export async function markNeedsReconnect(
  tx: Tx,
  { workspaceId, id, tokenRenewedAtMs }: Key & { tokenRenewedAtMs?: number },
  { reason, code }: ReconnectReason,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', ['active', 'expiring'])
    .$if(tokenRenewedAtMs !== undefined, (query) => query.where('token_renewed_at', '=', new Date(tokenRenewedAtMs ?? 0)))
    .set({
      status: 'needs_reconnect',
      status_reason: reason,
      status_code: code ?? sql`case when token_expires_at <= now() then 'token_expired' else 'token_refused' end`,
      updated_at: sql<Date>`now()`,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type ExpiringToken = Key & { expiresAt: Date; nextAt: Date }

type Claim = { platform: string; limit: number }

/** Across workspaces: claims connections of a platform whose token expires within this time. */
export function claimExpiringTokens(system: Db, { withinMs, ...claim }: Claim & { withinMs: number }): Promise<ExpiringToken[]> {
  const isDue = sql<boolean>`token_expires_at > now() and token_expires_at < now() + make_interval(secs => ${withinMs / 1000})`
  return claimTokens(system, { ...claim, isDue })
}

/** Across workspaces: claims connections of a platform whose token expired this long ago and has not been renewed since. */
export function claimIdleTokens(system: Db, { idleMs, ...claim }: Claim & { idleMs: number }): Promise<ExpiringToken[]> {
  const isDue = sql<boolean>`token_expires_at < now() - make_interval(secs => ${idleMs / 1000}) and token_renewable is not false`
  return claimTokens(system, { ...claim, isDue })
}

/**
 * The first to expire come first. None of them is claimed again for a day, or for a quarter of the time that its token has left.
 */
async function claimTokens(
  system: Db,
  { platform, limit, isDue }: Claim & { isDue: RawBuilder<boolean> },
): Promise<ExpiringToken[]> {
  const { rows } = await sql<ExpiringToken>`
    with due as (
      select workspace_id, id
      from connection
      where platform = ${platform}
        and status in ('active', 'expiring')
        and ${isDue}
        and coalesce(renew_early_after <= now(), true)
      order by token_expires_at
      limit ${limit}
      for update skip locked
    )
    update connection k
    set renew_early_after = now() + case
      when k.token_expires_at > now() then least(interval '1 day', (k.token_expires_at - now()) / 4)
      else interval '1 day' end
    from due
    where k.workspace_id = due.workspace_id and k.id = due.id
    returning k.workspace_id as "workspaceId", k.id, k.token_expires_at as "expiresAt", k.renew_early_after as "nextAt"`.execute(
    system,
  )
  return rows
}

/**
 * Across workspaces: connections whose token ends within this time and cannot be renewed, as far as is known, and for whose token this was
 * not announced yet. Locked until the transaction ends.
 */
export async function lockEndingTokens(
  tx: Tx,
  { withinMs, limit }: { withinMs: number; limit: number },
): Promise<ConnectionRow[]> {
  return (
    tx
      .selectFrom('connection')
      // Written out, not as a parameter, so that the partial index is used.
      .where(sql<boolean>`status = 'active' and token_renewable is not true`)
      .where('token_expires_at', '>', sql<Date>`now()`)
      .where('token_expires_at', '<', sql<Date>`now() + make_interval(secs => ${withinMs / 1000})`)
      .where('expiry_announced_for', 'is distinct from', sql.ref<Date>('token_expires_at'))
      .selectAll()
      .orderBy('token_expires_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
  )
}

export async function markExpiryAnnounced(tx: Tx, { workspaceId, id }: Key): Promise<void> {
  await tx
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ token_renewable: false, expiry_announced_for: sql.ref<Date>('token_expires_at') })
    .execute()
}

export async function markRenewable(tx: Tx, { workspaceId, id }: Key): Promise<void> {
  await tx
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ token_renewable: true })
    .execute()
}

/** True if this call disconnected the connection. */
export async function markDisconnected(tx: Tx, key: Key, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connection')
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.id)
    .where(isLive)
    .set({ status: 'disconnected', status_reason: null, status_code: null, disconnected_at: at, updated_at: at })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteConnection(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('connection').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Across workspaces: deletes disconnected connections that no part in flight needs, and those that were kept for too long. */
export async function deleteDisconnected(system: Db, keptMsMax: number): Promise<number> {
  const { rows } = await sql`
    delete from connection k
    where k.status = 'disconnected'
      and (
        k.disconnected_at < now() - make_interval(secs => ${keptMsMax / 1000})
        or not exists (
          select 1
          from part c
          where c.workspace_id = k.workspace_id
            and c.connection_id = k.id
            and c.finished_at is null
            and c.state in ('submitting', 'confirming')
        )
      )
    returning 1`.execute(system)
  return rows.length
}
