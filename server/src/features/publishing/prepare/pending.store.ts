import type { Db, Tx } from '../../../infra/db/db.ts'
import type { PendingMedia, PostKey } from '../../posts/post.store.ts'

export async function findPending(system: Db, { workspaceId, id }: PostKey): Promise<PendingMedia[] | null> {
  const row = await system
    .selectFrom('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('pending_error', 'is', null)
    .select('pending_medias')
    .executeTakeFirst()
  return row?.pending_medias ?? null
}

/** Fetched, or not to be had: then the addresses stay, for a retry to try them again. */
export async function finishPending(tx: Tx, { workspaceId, id }: PostKey, error: string | null): Promise<void> {
  await tx
    .updateTable('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(error === null ? { pending_medias: null, pending_error: null } : { pending_error: error })
    .execute()
}
