import type { BodyOf, MediaUpload, media } from '@carillon/contract'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { newId } from '../../../infra/db/ids.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { cleanName, storageKey } from './store-file.ts'
import { choosePartSize } from './choose-part-size.ts'
import { tooLarge } from './receive-file.ts'
import { deleteUpload, findUpload, insertUpload } from './upload.store.ts'

const openSeconds = 86_400

/** Starts an upload of a large file in parts, directly to the storage. The file is inspected when it is complete. */
export async function startUpload(
  { ctx, tx, principal, nowMs }: RequestScope,
  { name, sizeBytes }: BodyOf<typeof media.startUpload>,
): Promise<Answer<MediaUpload>> {
  const { sizeBytesMax } = ctx.config.media
  if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax)
  const { workspaceId } = principal
  const id = newId(nowMs)
  const key = storageKey(workspaceId, id, 'original')
  const partSizeBytes = choosePartSize(sizeBytes)
  const uploadId = await ctx.storage.parts.create(key, { mimeType: 'application/octet-stream' })
  const expiresAt = new Date(nowMs + openSeconds * 1000)
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
  const numbers = Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, (_, index) => index + 1)
  const sign = async (partNumber: number) => ({
    partNumber,
    url: await ctx.storage.parts.sign(key, { uploadId, partNumber, expiresInSeconds: openSeconds }),
  })
  const parts = await Promise.all(numbers.map(sign))
  return new Answer({ id, partSizeBytes, parts, expiresAt: expiresAt.toISOString() }, { subjectId: id })
}

export async function abortUpload({ ctx, tx, principal }: RequestScope, id: string): Promise<null> {
  const item = { workspaceId: principal.workspaceId, id }
  const upload = await findUpload(tx, item)
  if (!upload || !(await deleteUpload(tx, item))) throw problem('upload_not_found')
  await ctx.storage.parts.abort(upload.storage_key, upload.store_upload_id)
  return null
}
