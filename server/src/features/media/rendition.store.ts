import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { RenditionTable } from '../../infra/db/tables.ts'
import type { MediaKey } from './media.store.ts'

export type RenditionRow = Selectable<RenditionTable>

export async function findRendition(
  tx: Db | Tx,
  { workspaceId, id }: MediaKey,
  rulesHash: string,
): Promise<RenditionRow | undefined> {
  return tx
    .selectFrom('rendition')
    .where('workspace_id', '=', workspaceId)
    .where('media_id', '=', id)
    .where('rules_hash', '=', rulesHash)
    .selectAll()
    .executeTakeFirst()
}

/** Returns false if another worker has stored the same rendition first; then that one stays. */
export async function insertRendition(tx: Tx, row: Insertable<RenditionTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('rendition')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function listRenditionKeys(tx: Tx, { workspaceId, id }: MediaKey): Promise<string[]> {
  const rows = await tx
    .selectFrom('rendition')
    .where('workspace_id', '=', workspaceId)
    .where('media_id', '=', id)
    .select('storage_key')
    .execute()
  return rows.map((row) => row.storage_key)
}
