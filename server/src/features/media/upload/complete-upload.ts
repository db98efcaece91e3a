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
import { insertKept, keyOf, noteUnclaimed, putThumbnail, rowOf, type Kept } from './keep-file.ts'
import { findMediaItem, type MediaKey } from '../media.store.ts'
import { presentItem } from '../present-media.ts'
import { refusedType } from './receive-file.ts'
import { sampleBytes, sniff } from '../inspect/sniff.ts'
import { InvalidParts } from '../../../infra/storage/storage.ts'
import { deleteUpload, findUpload, type UploadRow } from './upload.store.ts'

type Completion = {
  ctx: Context
  principal: { workspaceId: string }
  params: { id: string }
  body: BodyOf<typeof media.completeUpload>
}

/** Puts the parts together, looks at the whole as at any other file, and makes it part of the library under the upload's own id. */
export async function completeUpload({ ctx, principal, params, body }: Completion): Promise<Prepared<Media>> {
  const item = { workspaceId: principal.workspaceId, id: params.id }
  const { upload, already } = await ctx.db.tenant(item.workspaceId, (tx) => claim(ctx, tx, item))
  // The client repeats the request after a lost answer: it is done.
  if (already) return { fingerprint: null, store: async ({ tx }) => presentItem(ctx, tx, already), discard: nothing }
  if (!upload) throw problem('upload_not_found')
  const kept = await join(ctx, upload, body.parts)
  return {
    fingerprint: null,
    async store({ tx }) {
      // Whoever takes the row away decides about the files: another request may have been quicker.
      if (!(await deleteUpload(tx, item))) throw problem('upload_not_found')
      const row = await insertKept(tx, kept)
      return new Answer(await presentItem(ctx, tx, row), { subjectId: row.id })
    },
    discard: nothing,
  }
}

async function nothing(): Promise<void> {}

/** The note of what to remove is written only while the upload is open: it must never name files of an item that exists. */
async function claim(ctx: Context, tx: Tx, item: MediaKey) {
  const upload = await findUpload(tx, item, true)
  if (!upload) return { upload, already: await findMediaItem(tx, item) }
  await noteUnclaimed(ctx, tx, { workspaceId: item.workspaceId, keys: keysOf(upload) })
  return { upload, already: undefined }
}

function keysOf({ workspace_id: workspaceId, id, storage_key: originalKey }: UploadRow): string[] {
  return [originalKey, keyOf(workspaceId, id, 'thumbnail')]
}

async function join(ctx: Context, upload: UploadRow, parts: BodyOf<typeof media.completeUpload>['parts']): Promise<Kept> {
  const { workspace_id: workspaceId, id, storage_key: originalKey } = upload
  await completeParts(ctx, upload, parts)
  try {
    const found = await ctx.storage.head(originalKey)
    if (found?.sizeBytes !== Number(upload.size_bytes)) throw wrongSize(upload, found?.sizeBytes ?? 0)
    return await ctx.storage.withFile(originalKey, (path) => inspect(ctx, upload, path))
  } catch (error) {
    // The parts are used up: whatever is wrong with the whole, it must be sent anew.
    const isOurs =
      error instanceof Problem &&
      error.status < 500 &&
      (await ctx.db.tenant(workspaceId, (tx) => deleteUpload(tx, { workspaceId, id })))
    if (isOurs) await ctx.storage.delete(keysOf(upload))
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
    // Put together by an earlier request that did not live to store it.
    if (await ctx.storage.head(upload.storage_key)) return
    throw problem('upload_incomplete', { details: [{ path: 'parts', message: error.message }], cause: error })
  }
}

async function inspect(ctx: Context, upload: UploadRow, path: string): Promise<Kept> {
  const { workspace_id: workspaceId, id, storage_key: originalKey, name } = upload
  const { kind } = await sniff(await readHead(path))
  if (!kind) throw refusedType('It is none that is known.')
  const inspected = await inspectFile(path, kind)
  const thumbnailKey = inspected.thumbnail && keyOf(workspaceId, id, 'thumbnail')
  await putThumbnail(ctx, thumbnailKey, inspected)
  const file = { ...kind, workspaceId, name, sizeBytes: Number(upload.size_bytes), sha256: await hashOf(path) }
  const keys = thumbnailKey ? [originalKey, thumbnailKey] : [originalKey]
  return { row: rowOf(file, inspected, { id, originalKey, thumbnailKey, nowMs: ctx.nowMs() }), keys }
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

async function hashOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest()
}

function wrongSize({ size_bytes: wanted }: UploadRow, actual: number) {
  const message = `The file was said to have ${wanted} bytes; the parts have ${actual}.`
  return problem('upload_incomplete', { details: [{ path: 'parts', message }] })
}
