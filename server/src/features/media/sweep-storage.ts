import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { deleteRemovals, findDueRemovals, insertWorkspaceRemovals } from './removal.store.ts'
import { deleteOldTickets } from './tickets/upload-ticket.store.ts'
import { deleteUpload, findExpiredUploads } from './upload/upload.store.ts'

const batchSize = 500
const spoolAgeMaxMs = 86_400_000
const ticketsKeptMs = 86_400_000

/** Removes what crashes, abandoned uploads and deletions left in the storage. Returns true if there may be more to remove. */
export async function sweepStorage(ctx: Context): Promise<boolean> {
  const due = await findDueRemovals(ctx.db.system, new Date(ctx.nowMs()), batchSize)
  for (const [workspaceId, rows] of Map.groupBy(due, (row) => row.workspace_id))
    await removeFiles(ctx, { workspaceId, keys: rows.map(({ key }) => key) })
  const uploads = await findExpiredUploads(ctx.db.system, new Date(ctx.nowMs()), batchSize)
  for (const { workspace_id: workspaceId, id, storage_key: key, store_upload_id: uploadId } of uploads) {
    await ctx.storage.parts.abort(key, uploadId)
    await deleteUpload(ctx.db.system, { workspaceId, id })
  }
  // Whoever asks a day later whether the file has arrived finds it in the library.
  await deleteOldTickets(ctx.db.system, new Date(ctx.nowMs() - ticketsKeptMs))
  await clearSpool(ctx)
  return due.length === batchSize || uploads.length === batchSize
}

/** Across workspaces, because the sweep calls it too. The removal row is deleted after the files, so a crash between them is repaired. */
export async function removeFiles(ctx: Context, files: { workspaceId: string; keys: readonly string[] }): Promise<void> {
  await ctx.storage.delete(files.keys)
  await deleteRemovals(ctx.db.system, files)
}

/** Removes temporary files of processes that ended while they received or inspected a file. */
export async function clearSpool({ storage, nowMs }: Context): Promise<void> {
  const names = await readdir(storage.spoolDir).catch(() => [])
  for (const name of names) {
    const path = join(storage.spoolDir, name)
    const found = await stat(path).catch(() => null)
    if (found && found.mtimeMs < nowMs() - spoolAgeMaxMs) await rm(path, { force: true })
  }
}

/** Schedules the removal of every file of a workspace that is being erased, and removes them from the storage after the commit. */
export async function removeWorkspaceFiles({ ctx, tx, principal, nowMs, afterCommit }: RequestScope): Promise<void> {
  await insertWorkspaceRemovals(tx, principal.workspaceId, new Date(nowMs))
  // If this fails or stops halfway, a worker's sweep removes the rest.
  afterCommit(() => sweepStorage(ctx))
}
