import type { BodyOf, MediaUpload, media } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { newId } from '../../../infra/db/ids.ts'
import { Answer } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { guardStorage } from '../guard-storage.ts'
import { openUploadBytesMin } from '../media.store.ts'
import { tooLarge } from './receive-file.ts'
import { cleanName, storageKey } from './store-file.ts'
import { insertUpload } from './upload.store.ts'

const openSeconds = 86_400

type Call = { ctx: Context; principal: { workspaceId: string }; nowMs: number; body: BodyOf<typeof media.startUpload> }

/**
 * Starts an upload of a large file in parts, directly to the storage, which is called while no transaction is open. The file is inspected
 * when it is complete.
 */
export async function startUpload({ ctx, principal, nowMs, body }: Call): Promise<Prepared<MediaUpload>> {
  const { name, sizeBytes } = body
  const { sizeBytesMax } = ctx.config.media
  if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax)
  const { workspaceId } = principal
  const id = newId(nowMs)
  const key = storageKey(workspaceId, id, 'original')
  const partSizeBytes = choosePartSize(sizeBytes)
  const expiresAt = new Date(nowMs + openSeconds * 1000)
  const uploadId = await ctx.storage.parts.create(key, { mimeType: 'application/octet-stream' })
  const parts = await signParts(ctx, { key, uploadId, sizeBytes, partSizeBytes, expiresInSeconds: openSeconds })
  return {
    fingerprint: null,
    async store({ tx }) {
      await guardStorage(ctx, tx, { workspaceId, addedBytes: Math.max(sizeBytes, openUploadBytesMin) })
      await insertUpload(tx, {
        workspace_id: workspaceId,
        id,
        name: cleanName(name),
        size_bytes: sizeBytes,
        part_size_bytes: partSizeBytes,
        storage_key: key,
        store_upload_id: uploadId,
        expires_at: expiresAt,
        created_at: new Date(nowMs),
      })
      return new Answer({ id, partSizeBytes, parts, expiresAt: expiresAt.toISOString() }, { subjectId: id })
    },
    discard: () => ctx.storage.parts.abort(key, uploadId),
  }
}

const megabyte = 1024 * 1024

/** The largest part that clients are asked to send. S3 allows 10,000 parts, so this is enough for any file that it accepts. */
export const partBytesMax = 64 * megabyte

/** Parts are large enough to list their URLs in one answer and small enough to be sent again after a failure. */
function choosePartSize(sizeBytes: number): number {
  const targetBytes = Math.ceil(sizeBytes / 100 / megabyte) * megabyte
  return Math.min(partBytesMax, Math.max(8 * megabyte, targetBytes))
}

type Upload = { key: string; uploadId: string; sizeBytes: number; partSizeBytes: number; expiresInSeconds: number }

/** The URLs to which the parts of an upload are sent. All parts but the last have the same size. */
export function signParts(
  { storage }: Context,
  { key, uploadId, sizeBytes, partSizeBytes, expiresInSeconds }: Upload,
): Promise<{ partNumber: number; url: string }[]> {
  const sign = async (_: unknown, index: number) => {
    const partNumber = index + 1
    const part = { uploadId, partNumber, sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes) }
    return { partNumber, url: await storage.parts.sign(key, { ...part, expiresInSeconds }) }
  }
  return Promise.all(Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, sign))
}
