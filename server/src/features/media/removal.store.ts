import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'

type Keys = { workspaceId: string; keys: readonly string[] }

/** Schedules the removal of these keys from the storage at `dueAt`, unless `deleteRemovals` cancels it before. */
export async function insertRemovals(tx: Db | Tx, { workspaceId, keys }: Keys, dueAt: Date): Promise<void> {
  if (keys.length === 0) return
  await tx
    .insertInto('storage_removal')
    .values(keys.map((key) => ({ workspace_id: workspaceId, key, due_at: dueAt })))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet({ due_at: dueAt }))
    .execute()
}

/** Schedules every file of a workspace that is being erased, also those that were to be removed later. */
export async function insertWorkspaceRemovals(tx: Tx, workspaceId: string, dueAt: Date): Promise<void> {
  await sql`
    insert into storage_removal (workspace_id, key, due_at)
    select workspace_id, key, ${dueAt}
    from (
      select workspace_id, storage_key as key
      from media
      where workspace_id = ${workspaceId}
      union
      select workspace_id, thumbnail_key
      from media
      where workspace_id = ${workspaceId} and thumbnail_key is not null
      union
      select workspace_id, storage_key
      from rendition
      where workspace_id = ${workspaceId}
      union
      select workspace_id, key
      from storage_removal
      where workspace_id = ${workspaceId}
    ) as files
    on conflict (workspace_id, key) do update
      set due_at = excluded.due_at`.execute(tx)
}

/** Cancels scheduled removals: the files are in use now, or already removed. */
export async function deleteRemovals(tx: Db | Tx, { workspaceId, keys }: Keys): Promise<void> {
  if (keys.length === 0) return
  await tx.deleteFrom('storage_removal').where('workspace_id', '=', workspaceId).where('key', 'in', keys).execute()
}

/** Across workspaces: the sweep serves all of them. */
export async function findDueRemovals(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('storage_removal')
    .where('due_at', '<', before)
    .select(['workspace_id', 'key'])
    .orderBy('due_at')
    .limit(limit)
    .execute()
}
