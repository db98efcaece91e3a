import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { deleteRemovals, findDueRemovals } from './removal.store.ts'
import { deleteUpload, findExpiredUploads } from './upload/upload.store.ts'

const atOnce = 500
const restsMs = 86_400_000

/** Clears up what crashes, abandoned uploads and deletions left in the store. True when there may be more. */
export async function sweepStorage(ctx: Context): Promise<boolean> {
  const due = await findDueRemovals(ctx.db.system, new Date(ctx.nowMs()), atOnce)
  for (const [workspaceId, rows] of Map.groupBy(due, (row) => row.workspace_id))
    await removeFiles(ctx, { workspaceId, keys: rows.map(({ key }) => key) })
  const uploads = await findExpiredUploads(ctx.db.system, new Date(ctx.nowMs()), atOnce)
  for (const { workspace_id: workspaceId, id, storage_key: key, store_upload_id: uploadId } of uploads) {
    await ctx.storage.parts.abort(key, uploadId)
    await deleteUpload(ctx.db.system, { workspaceId, id })
  }
  await clearSpool(ctx)
  return due.length === atOnce || uploads.length === atOnce
}

/** Across workspaces, because the sweep calls it too. The note goes only after the files. */
export async function removeFiles(ctx: Context, gone: { workspaceId: string; keys: readonly string[] }): Promise<void> {
  await ctx.storage.delete(gone.keys)
  await deleteRemovals(ctx.db.system, gone)
}

/** Files that were being received or looked at when the process ended. */
async function clearSpool({ storage, nowMs }: Context): Promise<void> {
  const names = await readdir(storage.spoolDir).catch(() => [])
  for (const name of names) {
    const path = join(storage.spoolDir, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < nowMs() - restsMs) await rm(path, { force: true })
  }
}
