import type { Media } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { findUses, type MediaRow } from './media.store.ts'

/** Maps media to the API shape, with signed URLs that expire and the posts that use each item. */
export async function presentMedia(ctx: Context, tx: Tx, rows: readonly MediaRow[]): Promise<Media[]> {
  const [first] = rows
  if (!first) return []
  const uses = await findUses(
    tx,
    first.workspace_id,
    rows.map(({ id }) => id),
  )
  return Promise.all(rows.map((row) => present(ctx, row, uses.get(row.id) ?? [])))
}

export async function presentItem(ctx: Context, tx: Tx, row: MediaRow): Promise<Media> {
  const [item] = await presentMedia(ctx, tx, [row])
  if (!item) throw new Error('presentMedia returned no item')
  return item
}

async function present({ config, storage }: Context, row: MediaRow, usedBy: string[]): Promise<Media> {
  const { urlSeconds: expiresInSeconds } = config.media
  // A PDF may contain scripts, and a browser that shows it inline would run them on the origin that serves the file.
  const view = { expiresInSeconds, fileName: row.name, mimeType: row.mime_type, isAttachment: row.type === 'document' }
  // Our decoders write thumbnails as WebP for images and as JPEG for videos and documents.
  const thumbnailView = {
    ...view,
    fileName: 'thumbnail',
    mimeType: row.type === 'image' ? 'image/webp' : 'image/jpeg',
    isAttachment: false,
  }
  const [url, thumbnailUrl] = await Promise.all([
    storage.signGet(row.storage_key, view),
    row.thumbnail_key === null ? null : storage.signGet(row.thumbnail_key, thumbnailView),
  ])
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    mimeType: row.mime_type,
    sizeBytes: Number(row.size_bytes),
    url,
    thumbnailUrl,
    width: row.width,
    height: row.height,
    durationSeconds: row.duration_seconds,
    pages: row.pages,
    tags: row.tags,
    folderId: row.folder_id,
    alt: row.alt,
    description: row.description,
    usedBy,
    createdAt: row.created_at.toISOString(),
  }
}
