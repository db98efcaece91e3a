import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { MediaRow } from './media.store.ts'
import { listPostMedia, replacePostMedia } from './post-media.store.ts'

/** One file of a post. Without its own alt text it uses the library's. An empty connection slug means all connections. */
export type Attachment = { mediaId: string; alt?: string | null; connection?: string }

export type AttachedMedia = { postId: string; connection: string; alt: string; row: MediaRow }

/** Replaces the files of a post. The foreign key keeps the items from being deleted while this transaction runs. */
export async function attachMedia(
  tx: Tx,
  { workspaceId, postId }: { workspaceId: string; postId: string },
  attachments: readonly Attachment[],
): Promise<void> {
  const nextPositions = new Map<string, number>()
  const rows = attachments.map(({ mediaId, alt = null, connection = '' }) => {
    const position = nextPositions.get(connection) ?? 0
    nextPositions.set(connection, position + 1)
    return { workspace_id: workspaceId, post_id: postId, connection_slug: connection, position, media_id: mediaId, alt }
  })
  await replacePostMedia(tx, { workspaceId, postId }, rows)
}

/** The files of posts, in order. */
export async function findAttached(db: Db | Tx, workspaceId: string, postIds: readonly string[]): Promise<AttachedMedia[]> {
  const rows = await listPostMedia(db, workspaceId, postIds)
  return rows.map(({ post_id: postId, connection_slug: connection, position: _position, own_alt: ownAlt, ...row }) => ({
    postId,
    connection,
    alt: ownAlt ?? row.alt,
    row,
  }))
}

/** The files of one channel: its connection's own if it has any (`hasOwn`), otherwise the common ones of the post. */
export async function findChannelMedia(
  ctx: Context,
  { workspaceId, postId, connection, hasOwn }: { workspaceId: string; postId: string; connection: string; hasOwn: boolean },
): Promise<AttachedMedia[]> {
  const all = await findAttached(ctx.db.system, workspaceId, [postId])
  return all.filter((media) => media.connection === (hasOwn ? connection : ''))
}
