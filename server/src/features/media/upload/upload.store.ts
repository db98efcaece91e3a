import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { MediaUploadTable } from '../../../infra/db/tables.ts'
import type { MediaKey } from '../media.store.ts'

export type UploadRow = Selectable<MediaUploadTable>

export async function insertUpload(tx: Tx, row: Insertable<MediaUploadTable>): Promise<void> {
  await tx.insertInto('media_upload').values(row).execute()
}

export async function findUpload(tx: Tx, { workspaceId, id }: MediaKey, lock = false): Promise<UploadRow | undefined> {
  let query = tx.selectFrom('media_upload').where('workspace_id', '=', workspaceId).where('id', '=', id).selectAll()
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

export async function findOpenUploads(
  tx: Tx,
  workspaceId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<UploadRow[]> {
  return tx
    .selectFrom('media_upload')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', now)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns true if this call deleted the row: of several concurrent calls, only one. */
export async function deleteUpload(tx: Db | Tx, { workspaceId, id }: MediaKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('media_upload')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Uploads that were not completed in time, across workspaces: the sweep serves all of them. */
export async function findExpiredUploads(db: Db, before: Date, limit: number): Promise<UploadRow[]> {
  return db.selectFrom('media_upload').where('expires_at', '<', before).selectAll().orderBy('expires_at').limit(limit).execute()
}
