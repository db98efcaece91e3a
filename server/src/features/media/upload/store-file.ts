import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newId } from '../../../infra/db/ids.ts'
import { guardStorage, requireFreeStorage } from '../guard-storage.ts'
import { type Inspection, inspectFile } from '../inspect/inspect-file.ts'
import { type MediaRow, type NewMedia, insertMedia } from '../media.store.ts'
import { deleteRemovals, insertRemovals } from '../removal.store.ts'
import { type ReceivedFile, receiveFile } from './receive-file.ts'

/** A file in the storage that no row refers to. `insertStoredFile` adds it to the library; otherwise the sweep removes it after a day. */
export type StoredFile = { row: NewMedia; keys: readonly string[] }

const removeAfterMs = 86_400_000

/** Inspects a received file and puts it into the storage, with its thumbnail. The local file is deleted. */
export async function storeFile(ctx: Context, file: ReceivedFile & { workspaceId: string; name: string }): Promise<StoredFile> {
  const { workspaceId, path, mimeType } = file
  let inspected: Inspection | null = null
  try {
    inspected = await inspectFile({ ctx, workspaceId }, path, file)
    const id = newId(ctx.nowMs())
    const originalKey = storageKey(workspaceId, id, 'original')
    const thumbnailKey = inspected.thumbnail && storageKey(workspaceId, id, 'thumbnail')
    const keys = thumbnailKey ? [originalKey, thumbnailKey] : [originalKey]
    await ctx.db.tenant(workspaceId, (tx) => scheduleRemoval(ctx, tx, { workspaceId, keys }))
    await ctx.storage.putFile(originalKey, path, { mimeType })
    await putThumbnail(ctx, thumbnailKey, inspected)
    return { row: toMediaRow(file, inspected, { id, originalKey, thumbnailKey, nowMs: ctx.nowMs() }), keys }
  } finally {
    await rm(path, { force: true })
    if (inspected?.thumbnail) await rm(inspected.thumbnail.path, { force: true })
  }
}

/** Adds a stored file to the library, in the same transaction as the post or item that it belongs to. */
export async function insertStoredFile(ctx: Context, tx: Tx, { row, keys }: StoredFile): Promise<MediaRow> {
  await guardStorage(ctx, tx, { workspaceId: row.workspace_id, addedBytes: row.size_bytes })
  await deleteRemovals(tx, { workspaceId: row.workspace_id, keys })
  return insertMedia(tx, row)
}

/** Deletes a file that is not needed after all. If this fails, the sweep removes it after a day. */
export async function discardStoredFile(ctx: Context, { row, keys }: StoredFile): Promise<void> {
  await ctx.storage.delete(keys)
  await ctx.db.tenant(row.workspace_id, (tx) => deleteRemovals(tx, { workspaceId: row.workspace_id, keys }))
}

export function storageKey(workspaceId: string, id: string, role: string): string {
  return `${workspaceId}/media/${id}/${role}`
}

/** Called before the first byte is stored, so that after a crash at any moment the sweep knows what to remove. */
export function scheduleRemoval(ctx: Context, tx: Tx, files: { workspaceId: string; keys: readonly string[] }): Promise<void> {
  return insertRemovals(tx, files, new Date(ctx.nowMs() + removeAfterMs))
}

export async function putThumbnail(ctx: Context, key: string | null, { thumbnail }: Inspection): Promise<void> {
  if (key && thumbnail) await ctx.storage.putFile(key, thumbnail.path, { mimeType: thumbnail.mimeType })
}

type Location = { id: string; originalKey: string; thumbnailKey: string | null; nowMs: number }

export function toMediaRow(
  file: Omit<ReceivedFile, 'path'> & { workspaceId: string; name: string },
  inspected: Inspection,
  { id, originalKey, thumbnailKey, nowMs }: Location,
): NewMedia {
  return {
    workspace_id: file.workspaceId,
    id,
    name: cleanName(file.name),
    type: file.type,
    mime_type: file.mimeType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    width: inspected.width,
    height: inspected.height,
    duration_seconds: inspected.durationSeconds,
    pages: inspected.pages,
    traits: JSON.stringify(inspected.traits),
    storage_key: originalKey,
    thumbnail_key: thumbnailKey,
    created_at: new Date(nowMs),
    updated_at: new Date(nowMs),
  }
}

/** A name for display and download: without folders and invisible characters. */
export function cleanName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const visible = last
    .toWellFormed()
    .replaceAll(/\p{Cc}|\p{Cf}/gu, '')
    .trim()
  return Array.from(visible).slice(-255).join('') || 'file'
}

/** Receives one file and stores it. The caller adds it to the library with `insertStoredFile`. */
export async function storeStream(
  ctx: Context,
  { workspaceId, name, source, bytesMax }: { workspaceId: string; name: string; source: Readable; bytesMax?: number },
): Promise<StoredFile> {
  await requireFreeStorage(ctx, workspaceId)
  return storeFile(ctx, { ...(await receiveFile(ctx, source, bytesMax)), workspaceId, name })
}
