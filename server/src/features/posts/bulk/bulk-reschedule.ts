import type { BodyOf, ReturnsOf, content } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { runBulk } from '../../../infra/http/run-bulk.ts'
import { reschedulePost } from '../schedule/reschedule-post.ts'
import { resolveTime } from '../schedule/resolve-time.ts'

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
