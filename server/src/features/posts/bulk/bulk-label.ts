import type { BodyOf, ReturnsOf, content } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { runBulk } from '../../../infra/http/run-bulk.ts'
import { changeLabels, requireLabels } from '../../labels/label-posts.ts'
import { lockPost } from '../load-post.ts'
import { updatePost } from '../post.store.ts'

/** Labels posts in any state: nothing that is sent changes, so no approval ends and no job becomes stale. */
export async function bulkLabel(
  scope: RequestScope,
  { ids, add = [], remove = [] }: BodyOf<typeof content.bulkLabel>,
): Promise<ReturnsOf<typeof content.bulkLabel>> {
  await requireLabels(scope, add, 'add')
  // Sorted, so that two requests about the same posts lock them in the same order.
  return runBulk(ids.toSorted(), (id) => labelPost(scope, id, { add, remove }))
}

async function labelPost(
  scope: RequestScope,
  id: string,
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const { tx, nowMs, principal } = scope
  const { workspaceId } = principal
  const { post } = await lockPost(scope, id)
  if (!(await changeLabels(tx, { workspaceId, postId: post.id }, change))) return
  // Always another time than before, because the ETag is made from it.
  const updatedAt = new Date(Math.max(nowMs, post.updated_at.getTime() + 1))
  await updatePost(tx, { workspaceId, id: post.id }, { updated_at: updatedAt })
}
