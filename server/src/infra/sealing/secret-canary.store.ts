import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'
import { type SealedColumn, keyIdOf, sealedColumns } from './sealed-columns.ts'

export async function findKeyIdsInUse(system: Db): Promise<string[]> {
  const queries = sealedColumns.map(
    ({ table, column }) => `select ${keyIdOf(column)} as key_id from ${table} where length(${column}) > 0`,
  )
  const { rows } = await sql<{ key_id: string }>`${sql.raw(queries.join(' union '))} order by key_id`.execute(system)
  return rows.map((row) => row.key_id)
}

export type SealedConnection = { workspace_id: string; id: string; credentials_sealed: Buffer }

/** Some connection whose credentials were sealed with this key. */
export async function findConnectionSealedBy(system: Db, keyId: string): Promise<SealedConnection | undefined> {
  const { rows } = await sql<SealedConnection>`
    select workspace_id, id, credentials_sealed
    from connection
    where length(credentials_sealed) > 0 and ${sql.raw(keyIdOf('credentials_sealed'))} = ${keyId}
    limit 1`.execute(system)
  return rows[0]
}

export async function listCanaries(system: Db): Promise<{ key_id: string; sealed: Buffer }[]> {
  return system.selectFrom('secret_canary').select(['key_id', 'sealed']).execute()
}

/** Does nothing if another process has stored one for this key. */
export async function insertCanary(system: Db, canary: { key_id: string; sealed: Buffer }): Promise<void> {
  await system
    .insertInto('secret_canary')
    .values(canary)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteCanaries(system: Db, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length > 0) await system.deleteFrom('secret_canary').where('key_id', 'in', keyIds).execute()
}

type SealedValue = { key: string[]; workspaceId: string; rowId: string; sealed: Buffer }

/**
 * Values of a column, across all workspaces, that another key than this one sealed, after a row. They are locked, so that a process that
 * stores a new value waits for a moment.
 */
export async function lockSealedByOthers(
  tx: Tx,
  { table, column, key, workspaceId, rowId }: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: readonly string[] | null; limit: number },
): Promise<SealedValue[]> {
  const keys = key.join(', ')
  const isAfter = after === null ? sql`true` : sql`(${sql.raw(keys)}) > (${sql.join(after)})`
  const { rows } = await sql<SealedValue>`
    select array[${sql.raw(keys)}]::text[] as key, ${sql.raw(workspaceId)} as "workspaceId", ${sql.raw(rowId)} as "rowId",
      ${sql.raw(column)} as sealed
    from ${sql.raw(table)}
    where length(${sql.raw(column)}) > 0 and ${sql.raw(keyIdOf(column))} <> ${keyId} and ${isAfter}
    order by ${sql.raw(keys)}
    limit ${limit}
    for update`.execute(tx)
  return rows
}

export async function updateSealed(
  tx: Tx,
  { table, column, key }: SealedColumn,
  { rowKey, sealed }: { rowKey: readonly string[]; sealed: Buffer },
): Promise<void> {
  await sql`
    update ${sql.raw(table)}
    set ${sql.raw(column)} = ${sealed}
    where (${sql.raw(key.join(', '))}) = (${sql.join(rowKey)})`.execute(tx)
}
