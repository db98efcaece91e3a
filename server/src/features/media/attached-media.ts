import type { MediaRef } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { type MediaRow, listPostMedia, replacePostMedia } from './media.store.ts'
import { presentMedia } from './present-media.ts'

/** One file of a post. Without its own alt text it uses the library's. An empty connection slug means all connections. */
export type Attachment = { mediaId: string; alt?: string | null; connection?: string }

/** `ownAlt` is the alt text that the post gives the file; `alt` is that or the library's. */
export type AttachedMedia = { postId: string; connection: string; alt: string; ownAlt: string | null; row: MediaRow }

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
    ownAlt,
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

/** The common files of posts in the API shape, by post. Files of single connections are left out. */
export async function describeFiles(
  ctx: Context,
  tx: Tx,
  workspaceId: string,
  postIds: readonly string[],
): Promise<Map<string, MediaRef[]>> {
  const attached = (await findAttached(tx, workspaceId, postIds)).filter(({ connection }) => connection === '')
  const items = await presentMedia(
    ctx,
    tx,
    attached.map(({ row }) => row),
  )
  const refs = attached.flatMap(({ postId, alt }, index) => {
    const item = items[index]
    if (!item) return []
    const { id, name, type, mimeType, url, thumbnailUrl, pages } = item
    return [{ postId, ref: { id, name, type, mimeType, url, thumbnailUrl, pages, alt } }]
  })
  const grouped = Map.groupBy(refs, ({ postId }) => postId)
  return new Map([...grouped].map(([postId, list]) => [postId, list.map(({ ref }) => ref)]))
}
