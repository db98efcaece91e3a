import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { BodyOf, Media, media } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { Answer } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { insertStoredFile, storageKey, scheduleRemoval, putThumbnail, toMediaRow, type StoredFile } from './store-file.ts'
import { findMediaItem, type MediaKey } from '../media.store.ts'
import { presentItem } from '../present-media.ts'
import { refusedType } from './receive-file.ts'
import { sampleBytes, detectFileType } from '../inspect/detect-file-type.ts'
import { InvalidParts } from '../../../infra/storage/storage.ts'
import { deleteUpload, findUpload, type UploadRow } from './upload.store.ts'

type Completion = {
  ctx: Context
  principal: { workspaceId: string }
  params: { id: string }
  body: BodyOf<typeof media.completeUpload>
}

/** Joins the parts, inspects the file like any other, and adds it to the library under the id of the upload. */
export async function completeUpload({ ctx, principal, params, body }: Completion): Promise<Prepared<Media>> {
  const item = { workspaceId: principal.workspaceId, id: params.id }
  const { upload, existing } = await ctx.db.tenant(item.workspaceId, (tx) => claimUpload(ctx, tx, item))
  // A client that lost the first answer repeats the request after the upload was completed.
  if (existing) return { fingerprint: null, store: async ({ tx }) => presentItem(ctx, tx, existing), discard: keepEverything }
  if (!upload) throw problem('upload_not_found')
  const stored = await assembleFile(ctx, upload, body.parts)
  return {
    fingerprint: null,
    async store({ tx }) {
      // Of two concurrent requests only the one that deletes the row may use the files.
      if (!(await deleteUpload(tx, item))) throw problem('upload_not_found')
      const row = await insertStoredFile(tx, stored)
      return new Answer(await presentItem(ctx, tx, row), { subjectId: row.id })
    },
    discard: keepEverything,
  }
}

/** The scheduled removal deletes the files later; another request may still complete the same upload. */
async function keepEverything(): Promise<void> {}

/** The removal is scheduled only while the upload is open: it must never name the files of an item in the library. */
async function claimUpload(ctx: Context, tx: Tx, item: MediaKey) {
  const upload = await findUpload(tx, item, true)
  if (!upload) return { upload, existing: await findMediaItem(tx, item) }
  await scheduleRemoval(ctx, tx, { workspaceId: item.workspaceId, keys: storageKeys(upload) })
  return { upload, existing: undefined }
}

function storageKeys({ workspace_id: workspaceId, id, storage_key: originalKey }: UploadRow): string[] {
  return [originalKey, storageKey(workspaceId, id, 'thumbnail')]
}

async function assembleFile(
  ctx: Context,
  upload: UploadRow,
  parts: BodyOf<typeof media.completeUpload>['parts'],
): Promise<StoredFile> {
  const { workspace_id: workspaceId, id, storage_key: originalKey } = upload
  await completeParts(ctx, upload, parts)
  try {
    const found = await ctx.storage.head(originalKey)
    if (found?.sizeBytes !== Number(upload.size_bytes)) throw wrongSize(upload, found?.sizeBytes ?? 0)
    return await ctx.storage.withFile(originalKey, (path) => inspect(ctx, upload, path))
  } catch (error) {
    // The parts no longer exist, so a file that is refused must be uploaded again.
    const isDeletedHere =
      error instanceof Problem &&
      error.status < 500 &&
      (await ctx.db.tenant(workspaceId, (tx) => deleteUpload(tx, { workspaceId, id })))
    if (isDeletedHere) await ctx.storage.delete(storageKeys(upload))
    throw error
  }
}

async function completeParts(
  ctx: Context,
  upload: UploadRow,
  parts: BodyOf<typeof media.completeUpload>['parts'],
): Promise<void> {
  try {
    await ctx.storage.parts.complete(upload.storage_key, upload.store_upload_id, parts)
  } catch (error) {
    if (!(error instanceof InvalidParts)) throw error
    // An earlier request joined the parts and then failed before it could add the file to the library.
    if (await ctx.storage.head(upload.storage_key)) return
    throw problem('upload_incomplete', { details: [{ path: 'parts', message: error.message }], cause: error })
  }
}

async function inspect(ctx: Context, upload: UploadRow, path: string): Promise<StoredFile> {
  const { workspace_id: workspaceId, id, storage_key: originalKey, name } = upload
  const { kind } = await detectFileType(await readHead(path))
  if (!kind) throw refusedType('It is none that is known.')
  const inspected = await inspectFile({ ctx, workspaceId }, path, kind)
  const thumbnailKey = inspected.thumbnail && storageKey(workspaceId, id, 'thumbnail')
  await putThumbnail(ctx, thumbnailKey, inspected)
  const file = { ...kind, workspaceId, name, sizeBytes: Number(upload.size_bytes), sha256: await computeHash(path) }
  const keys = thumbnailKey ? [originalKey, thumbnailKey] : [originalKey]
  return { row: toMediaRow(file, inspected, { id, originalKey, thumbnailKey, nowMs: ctx.nowMs() }), keys }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(sampleBytes)
    const { bytesRead } = await file.read(head, 0, sampleBytes, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function computeHash(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest()
}

function wrongSize({ size_bytes: wanted }: UploadRow, actual: number) {
  const message = `The upload was started for ${wanted} bytes; the parts have ${actual}.`
  return problem('upload_incomplete', { details: [{ path: 'parts', message }] })
}
