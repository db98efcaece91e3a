import type { DraftMedia } from '@carillon/core'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Asked } from '../http/call.ts'
import { isId } from '../ids.ts'
import { problem } from '../problem.ts'
import { findMediaItems, type MediaRow } from './media.store.ts'
import { listPostMedia, replacePostMedia } from './post-media.store.ts'

/** What a draft needs to know of a file. */
export type MediaItem = DraftMedia & { id: string; name: string }

/** One file of a post. Without an alt of its own it has the library's; an empty slug stands for all connections. */
export type Attachment = { mediaId: string; alt?: string | null; connection?: string }

export type AttachedMedia = { postId: string; connection: string; alt: string; row: MediaRow }

/** The items in the order asked for; `medias[i]` that do not exist here are refused by name. */
export async function findMedia(
  { tx, principal }: Pick<Asked, 'tx' | 'principal'>,
  ids: readonly string[],
): Promise<MediaItem[]> {
  const rows = await findMediaItems(tx, principal.workspaceId, [...new Set(ids.filter(isId))])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const missing = ids.flatMap((id, at) =>
    byId.has(id) ? [] : [{ path: `medias[${at}]`, message: 'There is no such media in this workspace.' }],
  )
  if (missing.length > 0) throw problem('request_invalid', { details: missing })
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [describeMedia(row)] : []
  })
}

export function describeMedia(row: MediaRow, alt = row.alt): MediaItem {
  return {
    id: row.id,
    name: row.name,
    kind: row.type,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    pages: row.pages,
    alt,
  }
}

/** Says which files a post shows, instead of those it showed before. The item cannot be deleted while this transaction runs. */
export async function attachMedia(
  tx: Tx,
  { workspaceId, postId }: { workspaceId: string; postId: string },
  attachments: readonly Attachment[],
): Promise<void> {
  const places = new Map<string, number>()
  const rows = attachments.map(({ mediaId, alt = null, connection = '' }) => {
    const position = places.get(connection) ?? 0
    places.set(connection, position + 1)
    return { workspace_id: workspaceId, post_id: postId, connection_slug: connection, position, media_id: mediaId, alt }
  })
  await replacePostMedia(tx, { workspaceId, postId }, rows)
}

/** What posts show, in order. */
export async function findAttached(db: Db | Tx, workspaceId: string, postIds: readonly string[]): Promise<AttachedMedia[]> {
  const rows = await listPostMedia(db, workspaceId, postIds)
  return rows.map(({ post_id: postId, connection_slug: connection, position: _position, own_alt: ownAlt, ...row }) => ({
    postId,
    connection,
    alt: ownAlt ?? row.alt,
    row,
  }))
}

/** The files of one channel: its connection's own, or else the post's common ones. */
export async function findChannelMedia(
  ctx: Context,
  { workspaceId, postId, connection }: { workspaceId: string; postId: string; connection: string },
): Promise<AttachedMedia[]> {
  const all = await findAttached(ctx.db.system, workspaceId, [postId])
  const own = all.filter((each) => each.connection === connection)
  return own.length > 0 ? own : all.filter((each) => each.connection === '')
}
