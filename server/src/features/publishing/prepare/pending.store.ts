import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { PendingMedia, PostKey } from '../../posts/post.store.ts'

export async function findPending(
  system: Db,
  { workspaceId, id }: PostKey,
): Promise<{ medias: PendingMedia[]; isFetching: boolean } | null> {
  const row = await system
    .selectFrom('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('pending_error', 'is', null)
    .select(['pending_medias', sql<boolean>`coalesce(fetching_until > now(), false)`.as('isFetching')])
    .executeTakeFirst()
  return row?.pending_medias ? { medias: row.pending_medias, isFetching: row.isFetching } : null
}

/** A process fetches the files, after the run that wanted them has ended. Until then, no other one does. */
export async function keepFetching(system: Db, { workspaceId, id }: PostKey, forMs: number): Promise<void> {
  await system
    .updateTable('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('pending_medias', 'is not', null)
    .set({ fetching_until: sql<Date>`now() + make_interval(secs => ${forMs / 1000})` })
    .execute()
}

/**
 * Fetched, or not to be had: then the addresses stay, for a retry to try them again. False if the post no longer waits for these files: another
 * process was faster, or somebody gave the scheduled post other files.
 */
export async function finishPending(
  tx: Tx,
  { workspaceId, id }: PostKey,
  { files, error }: { files: readonly PendingMedia[]; error: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(sql<boolean>`pending_medias = ${JSON.stringify(files)}::jsonb`)
    .set({ fetching_until: null, pending_error: error, ...(error === null && { pending_medias: null }) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
