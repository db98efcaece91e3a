import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { runStatement } from '../../infra/db/run-statement.ts'
import type { ConnectionTable } from '../../infra/db/tables.ts'

export type ConnectionRow = Selectable<ConnectionTable>

export async function listConnections(tx: Tx, workspaceId: string): Promise<ConnectionRow[]> {
  return tx.selectFrom('connection').where('workspace_id', '=', workspaceId).selectAll().orderBy('id').execute()
}

export type AccountRow = Pick<ConnectionRow, 'id' | 'slug' | 'platform' | 'display_name' | 'status' | 'status_reason'>

const bySlugs = `
  select id, slug, platform, display_name, status, status_reason
  from connection
  where workspace_id = $1 and slug = any($2)`

export async function findBySlugs(tx: Tx, workspaceId: string, slugs: readonly string[]): Promise<AccountRow[]> {
  return runStatement(tx, bySlugs, [workspaceId, [...slugs]])
}

export async function findConnection(db: Db | Tx, workspaceId: string, id: string): Promise<ConnectionRow | undefined> {
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
    .selectAll()
    .orderBy('id')
    .executeTakeFirst()
}

/** Accounts are connected one at a time per workspace, so that two concurrent requests create neither a duplicate nor the same slug. */
export async function lockConnecting(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`connect ${workspaceId}`}, 2))`.execute(tx)
}

export async function findSlugs(tx: Tx, workspaceId: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('connection').where('workspace_id', '=', workspaceId).select('slug').execute()
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

export async function updateConnection(
  db: Db | Tx,
  key: { workspaceId: string; id: string },
  change: Updateable<ConnectionTable>,
): Promise<void> {
  await db.updateTable('connection').where('workspace_id', '=', key.workspaceId).where('id', '=', key.id).set(change).execute()
}

/** True if this call changed the status. */
export async function markNeedsReconnect(tx: Tx, key: { workspaceId: string; id: string }, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connection')
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.id)
    .where('status', 'in', ['active', 'expiring'])
    .set({ status: 'needs_reconnect', status_reason: reason, updated_at: sql<Date>`now()` })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Across workspaces: connections of a platform whose token expires within this time. */
export async function findExpiringTokens(
  system: Db,
  platform: string,
  withinMs: number,
): Promise<{ workspaceId: string; id: string }[]> {
  return system
    .selectFrom('connection')
    .where('platform', '=', platform)
    .where('status', 'in', ['active', 'expiring'])
    .where('token_expires_at', '<', sql<Date>`now() + make_interval(secs => ${withinMs / 1000})`)
    .where('token_expires_at', '>', sql<Date>`now()`)
    .select(['workspace_id as workspaceId', 'id'])
    .limit(1000)
    .execute()
}

export async function deleteConnection(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('connection').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
