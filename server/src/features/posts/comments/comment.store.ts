import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import type { PostCommentTable } from '../../../infra/db/tables.ts'
import type { PostKey } from '../post.store.ts'

export type CommentRow = Selectable<PostCommentTable>
type CommentKey = { workspaceId: string; postId: string; id: string }

export async function insertComment(tx: Tx, row: Insertable<PostCommentTable>): Promise<void> {
  await tx.insertInto('post_comment').values(row).execute()
}

/** Oldest first. */
export async function listComments(tx: Tx, { workspaceId, id }: PostKey): Promise<CommentRow[]> {
  return tx
    .selectFrom('post_comment')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .selectAll()
    .orderBy('id')
    .execute()
}

export async function countComments(tx: Tx, { workspaceId, id }: PostKey): Promise<number> {
  const { comments } = await tx
    .selectFrom('post_comment')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .select(sql<number>`count(*)::int`.as('comments'))
    .executeTakeFirstOrThrow()
  return comments
}

/** Locked until the transaction ends. */
export async function findComment(tx: Tx, { workspaceId, postId, id }: CommentKey): Promise<CommentRow | undefined> {
  return tx
    .selectFrom('post_comment')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

export async function updateComment(tx: Tx, key: CommentKey, change: Updateable<PostCommentTable>): Promise<void> {
  await tx
    .updateTable('post_comment')
    .where('workspace_id', '=', key.workspaceId)
    .where('post_id', '=', key.postId)
    .where('id', '=', key.id)
    .set(change)
    .execute()
}

export async function deleteComment(tx: Tx, { workspaceId, postId, id }: CommentKey): Promise<void> {
  await tx
    .deleteFrom('post_comment')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .execute()
}
