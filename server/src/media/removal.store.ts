import type { Db, Tx } from '../db/db.ts'

type Keys = { workspaceId: string; keys: readonly string[] }

/** Notes that these keys shall not stay in the store unless somebody strikes them out before. */
export async function insertRemovals(tx: Db | Tx, { workspaceId, keys }: Keys, dueAt: Date): Promise<void> {
  if (keys.length === 0) return
  await tx
    .insertInto('storage_removal')
    .values(keys.map((key) => ({ workspace_id: workspaceId, key, due_at: dueAt })))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet({ due_at: dueAt }))
    .execute()
}

/** They are in use now, or they are gone. */
export async function deleteRemovals(tx: Db | Tx, { workspaceId, keys }: Keys): Promise<void> {
  if (keys.length === 0) return
  await tx.deleteFrom('storage_removal').where('workspace_id', '=', workspaceId).where('key', 'in', keys).execute()
}

/** Across workspaces: the sweep clears up after everybody. */
export async function findDueRemovals(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('storage_removal')
    .where('due_at', '<', before)
    .select(['workspace_id', 'key'])
    .orderBy('due_at')
    .limit(limit)
    .execute()
}
