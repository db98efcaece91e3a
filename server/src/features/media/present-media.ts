import type { Media } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { findUses, type MediaRow } from './media.store.ts'

/** Media as clients see them: with addresses that work for a while, and the posts that use them. */
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
  if (!item) throw new Error('there is nothing to show')
  return item
}

async function present({ config, storage }: Context, row: MediaRow, usedBy: string[]): Promise<Media> {
  const { urlSeconds: expiresInSeconds } = config.media
  // A browser would open a PDF, scripts and all, in the name of whoever serves it.
  const view = { expiresInSeconds, fileName: row.name, mimeType: row.mime_type, isAttachment: row.type === 'document' }
  // Decoders of ours made it: WebP from pictures, JPEG from the rest.
  const small = {
    ...view,
    fileName: 'thumbnail',
    mimeType: row.type === 'image' ? 'image/webp' : 'image/jpeg',
    isAttachment: false,
  }
  const [url, thumbnailUrl] = await Promise.all([
    storage.signGet(row.storage_key, view),
    row.thumbnail_key === null ? null : storage.signGet(row.thumbnail_key, small),
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
    alt: row.alt,
    description: row.description,
    usedBy,
    createdAt: row.created_at.toISOString(),
  }
}
