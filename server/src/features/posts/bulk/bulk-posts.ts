import type { BodyOf, ReturnsOf, content } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { runBulk } from '../../../infra/http/run-bulk.ts'
import { changeLabels, requireLabels } from '../../labels/manage-labels.ts'
import { lockPost } from '../load-post.ts'
import { updatePost } from '../post.store.ts'
import { reschedulePost } from '../schedule/reschedule-post.ts'
import { resolveTime } from '../schedule/resolve-time.ts'

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

/** Moves many scheduled posts to the same time. */
export async function bulkReschedule(
  scope: RequestScope,
  { ids, ...time }: BodyOf<typeof content.bulkReschedule>,
): Promise<ReturnsOf<typeof content.bulkReschedule>> {
  // A time that is wrong for every post refuses the request. Only a wall time without a zone depends on the post.
  const isWallTime = /^\d{4}-\d\d-\d\dT[\d:.,]+$/.test(time.scheduledAt)
  if (time.timezone !== undefined || !isWallTime) resolveTime(time, scope.nowMs)
  // Sorted, so that two requests about the same posts lock them in the same order.
  return runBulk(ids.toSorted(), (id) => reschedulePost(scope, id, time))
}
