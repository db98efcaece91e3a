import type { Context } from '../../../context.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { deleteUpload, findUpload } from './upload.store.ts'

type Call = { ctx: Context; principal: { workspaceId: string }; params: { id: string } }

/**
 * Aborts an upload in parts. The storage is called first, while no transaction is open. After a crash between the two steps the row still
 * exists, so the request can be repeated, and the sweep aborts the upload when it expires.
 */
export async function abortUpload({ ctx, principal, params }: Call): Promise<Prepared<null>> {
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
