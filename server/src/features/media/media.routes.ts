import { type BodyOf, type Media, type ReturnsOf, media, mediaTagsMax } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { runBulk } from '../../infra/http/run-bulk.ts'
import { type Prepared, servePrepared } from '../../infra/http/serve-prepared.ts'
import { serveWaiting } from '../../infra/http/serve-waiting.ts'
import { serve } from '../../infra/http/serve.ts'
import { problem } from '../../infra/problem/problem.ts'
import { getMedia, listMediaPage, listTags, loadMedia } from './get-media.ts'
import { bulkMoveMedia, changeFolder, createFolder, getFolders, removeFolder } from './manage-folders.ts'
import { deleteMedia, isMediaNeeded, updateMedia } from './media.store.ts'
import { presentItem } from './present-media.ts'
import { insertRemovals } from './removal.store.ts'
import { listRenditionKeys } from './rendition.store.ts'
import { removeFiles } from './sweep-storage.ts'
import { createUploadTicket, getUploadTicket } from './tickets/upload-ticket.ts'
import { completeUpload } from './upload/complete-upload.ts'
import { withForms } from './upload/read-form.ts'
import { startUpload } from './upload/resumable-upload.ts'
import { listUploads, resumeUpload } from './upload/resume-upload.ts'
import { fetchMedia } from './upload/store-remote-file.ts'
import { uploadMedia } from './upload/upload-media.ts'
import { deleteUpload, findUpload } from './upload/upload.store.ts'

export function mediaRoutes(app: FastifyInstance, ctx: Context): void {
  withForms(app, (scope) => servePrepared(scope, ctx, media.upload, uploadMedia))
  serve(app, ctx, media.list, (call) => listMediaPage(call, call.query))
  serve(app, ctx, media.tags, (call) => listTags(call))
  serve(app, ctx, media.folders, (call) => getFolders(call))
  serve(app, ctx, media.createFolder, (call) => createFolder(call, call.body))
  serve(app, ctx, media.updateFolder, (call) => changeFolder(call, call.params.id, call.body))
  serve(app, ctx, media.removeFolder, (call) => removeFolder(call, call.params.id))
  serve(app, ctx, media.bulkMove, (call) => bulkMoveMedia(call, call.body))
  serve(app, ctx, media.bulkTag, (call) => bulkTagMedia(call, call.body))
  servePrepared(app, ctx, media.fetch, fetchMedia)
  serve(app, ctx, media.uploads, (call) => listUploads(call))
  serveWaiting(app, ctx, media.uploadStatus, resumeUpload)
  serve(app, ctx, media.createUploadTicket, (call) => createUploadTicket(call, call.body))
  serve(app, ctx, media.uploadTicket, (call) => getUploadTicket(call, call.params.id))
  serve(app, ctx, media.get, (call) => getMedia(call, call.params.id))
  serve(app, ctx, media.update, (call) => changeMedia(call, call.params.id, call.body))
  serve(app, ctx, media.remove, (call) => removeMedia(call, call.params.id, call.query.force === 'true'))
  serve(app, ctx, media.bulkDelete, (call) => runBulk(call.body.ids, (id) => removeMedia(call, id, call.query.force === 'true')))
  servePrepared(app, ctx, media.startUpload, startUpload)
  servePrepared(app, ctx, media.completeUpload, completeUpload)
  servePrepared(app, ctx, media.abortUpload, abortUpload)
}

async function changeMedia(
  { ctx, tx, principal, nowMs }: RequestScope,
  id: string,
  { alt, description, tags }: BodyOf<typeof media.update>,
): Promise<Media> {
  const change = {
    ...(alt !== undefined && { alt }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: cleanTags(tags) }),
    updated_at: new Date(nowMs),
  }
  const row = await updateMedia(tx, { workspaceId: principal.workspaceId, id }, change)
  if (!row) throw problem('media_not_found')
  return presentItem(ctx, tx, row)
}

function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
}

/** Tags are taken away before others are added. */
function bulkTagMedia(
  scope: RequestScope,
  { ids, add = [], remove = [] }: BodyOf<typeof media.bulkTag>,
): Promise<ReturnsOf<typeof media.bulkTag>> {
  const { tx, principal, nowMs } = scope
  // Sorted, so that two requests about the same files lock them in the same order.
  return runBulk(ids.toSorted(), async (id) => {
    const before = await loadMedia(scope, id, true)
    const tags = [...new Set(before.tags).difference(new Set(cleanTags(remove))).union(new Set(cleanTags(add)))]
    if (tags.length > mediaTagsMax) throw problem('request_invalid', { message: `A file has at most ${mediaTagsMax} tags.` })
    await updateMedia(tx, { workspaceId: principal.workspaceId, id }, { tags, updated_at: new Date(nowMs) })
  })
}

/** Removes an item from the library, and its files after the commit. `force` removes it even if a post that may still be sent uses it. */
async function removeMedia(scope: RequestScope, id: string, force: boolean): Promise<null> {
  const { ctx, tx, principal, nowMs } = scope
  const row = await loadMedia(scope, id, true)
  const item = { workspaceId: principal.workspaceId, id: row.id }
  if (!force && (await isMediaNeeded(tx, item))) throw problem('media_in_use')
  const keys = [row.storage_key, row.thumbnail_key, ...(await listRenditionKeys(tx, item))].filter((key) => key !== null)
  const files = { workspaceId: principal.workspaceId, keys }
  await insertRemovals(tx, files, new Date(nowMs))
  await deleteMedia(tx, item)
  // If this fails, the sweep removes them.
  scope.afterCommit(() => removeFiles(ctx, files))
  return null
}

type Call = { ctx: Context; principal: { workspaceId: string }; params: { id: string } }

/**
 * Aborts an upload in parts. The storage is called first, while no transaction is open. After a crash between the two steps the row still
 * exists, so the request can be repeated, and the sweep aborts the upload when it expires.
 */
async function abortUpload({ ctx, principal, params }: Call): Promise<Prepared<null>> {
  const item = { workspaceId: principal.workspaceId, id: params.id }
  const upload = await ctx.db.readOnly(item.workspaceId, (tx) => findUpload(tx, item))
  if (!upload) throw problem('upload_not_found')
  await ctx.storage.parts.abort(upload.storage_key, upload.store_upload_id)
  return {
    fingerprint: null,
    async store({ tx }) {
      if (!(await deleteUpload(tx, item))) throw problem('upload_not_found')
      return null
    },
    discard: () => Promise.resolve(),
  }
}
