import { sql } from 'kysely'
import type { Tx } from '../db/db.ts'
import { keyIdOf, type SealedColumn } from './sealed-columns.ts'

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
