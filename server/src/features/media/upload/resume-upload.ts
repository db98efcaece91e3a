import type { PendingUpload, ResumableUpload } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { signParts } from './resumable-upload.ts'
import { findOpenUploads, findUpload, type UploadRow } from './upload.store.ts'

const uploadsMax = 100

/** The uploads that can still be completed, newest first. */
export async function listUploads({ tx, principal, nowMs }: RequestScope): Promise<PendingUpload[]> {
  const rows = await findOpenUploads(tx, principal.workspaceId, { now: new Date(nowMs), limit: uploadsMax })
  return rows.map(presentUpload)
}

type Call = { ctx: Context; principal: { workspaceId: string }; nowMs: number; params: { id: string } }

/** What has arrived of an upload, and where the rest is sent. The store is asked while no transaction is open. */
export async function resumeUpload({ ctx, principal, nowMs, params }: Call): Promise<ResumableUpload> {
  const item = { workspaceId: principal.workspaceId, id: params.id }
  const row = await ctx.db.readOnly(item.workspaceId, (tx) => findUpload(tx, item))
  if (!row || row.expires_at.getTime() <= nowMs) throw problem('upload_not_found')
  const { storage_key: key, store_upload_id: uploadId } = row
  const arrived = new Map((await ctx.storage.parts.list(key, uploadId)).map(({ partNumber, etag }) => [partNumber, etag]))
  const expiresInSeconds = Math.floor((row.expires_at.getTime() - nowMs) / 1000)
  const { sizeBytes, partSizeBytes } = presentUpload(row)
  const signed = await signParts(ctx, { key, uploadId, sizeBytes, partSizeBytes, expiresInSeconds })
  const parts = signed.map((part) => ({ ...part, etag: arrived.get(part.partNumber) ?? null }))
  return { ...presentUpload(row), parts }
}

function presentUpload(row: UploadRow): PendingUpload {
  return {
    id: row.id,
    name: row.name,
    sizeBytes: Number(row.size_bytes),
    partSizeBytes: row.part_size_bytes,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}
