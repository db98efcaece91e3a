import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { loadMedia } from './get-media.ts'
import { deleteMedia, isMediaNeeded } from './media.store.ts'
import { insertRemovals } from './removal.store.ts'
import { listRenditionKeys } from './rendition.store.ts'
import { removeFiles } from './sweep-storage.ts'

/** Removes an item from the library, and its files after the commit. `force` removes it even if a post that may still be sent uses it. */
export async function removeMedia(scope: RequestScope, id: string, force: boolean): Promise<null> {
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
