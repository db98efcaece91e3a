import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { PostMediaTable } from '../../infra/db/tables.ts'

export type PostKey = { workspaceId: string; postId: string }

export async function replacePostMedia(
  tx: Tx,
  { workspaceId, postId }: PostKey,
  rows: Insertable<PostMediaTable>[],
): Promise<void> {
  await tx.deleteFrom('post_media').where('workspace_id', '=', workspaceId).where('post_id', '=', postId).execute()
  if (rows.length > 0) await tx.insertInto('post_media').values(rows).execute()
}

/** The files of these posts, in order. */
export async function listPostMedia(tx: Db | Tx, workspaceId: string, postIds: readonly string[]) {
  if (postIds.length === 0) return []
  return tx
    .selectFrom('post_media')
    .innerJoin('media', (join) =>
      join.onRef('media.workspace_id', '=', 'post_media.workspace_id').onRef('media.id', '=', 'post_media.media_id'),
    )
    .where('post_media.workspace_id', '=', workspaceId)
    .where('post_media.post_id', 'in', postIds)
    .selectAll('media')
    .select(['post_media.post_id', 'post_media.connection_slug', 'post_media.position', 'post_media.alt as own_alt'])
    .orderBy('post_media.post_id')
    .orderBy('post_media.connection_slug')
    .orderBy('post_media.position')
    .execute()
}
