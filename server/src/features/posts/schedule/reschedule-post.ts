import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { endApproval } from '../approval/record-decision.ts'
import { loadPost } from '../load-post.ts'
import { lockScheduledPost } from './lock-scheduled-post.ts'
import { moveChannels, updatePost, type PostWithChannels } from '../post.store.ts'
import { fieldsFromRow } from '../post-fields.ts'
import { permitRelease } from '../release/permit-release.ts'
import { showPost } from '../reading/show-post.ts'
import { resolveTime, type Timing } from './resolve-time.ts'

/** Moves a scheduled post to another time. */
export async function reschedulePost(
  scope: RequestScope,
  id: string,
  time: { scheduledAt: string; timezone?: string },
): Promise<Post> {
  const found = await lockScheduledPost(scope, id)
  const { scheduledAt, timezone } = time
  await moveScheduledPost(scope, found, resolveTime({ scheduledAt, timezone: timezone ?? found.post.timezone }, scope.nowMs))
  return showPost(scope, await loadPost(scope, found.post.id))
}

/** The post is locked and scheduled, and its channels are those that wait. */
export async function moveScheduledPost(
  scope: RequestScope,
  { post, channels }: PostWithChannels,
  { at, wall, timezone, isNow }: Timing,
): Promise<void> {
  const { tx, nowMs } = scope
  const slugs = channels.map((channel) => channel.connection_slug)
  await permitRelease(scope, { postId: post.id, dueAt: at ?? new Date(nowMs), fields: fieldsFromRow(post), slugs })
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(tx, key, { scheduled_at: at, scheduled_wall: wall, timezone, updated_at: new Date(nowMs) })
  const channelIds = channels.map((channel) => channel.id)
  await moveChannels(tx, key, { channelIds, transition: 'schedule', change: { due_at: at, dispatch_at: at } })
  await endApproval(scope, post)
  const { workspaceId, personId } = scope.principal
  await recordEvents(tx, [{ workspaceId, event: 'upload.scheduled', postId: key.id, personId, atMs: nowMs }])
  if (isNow) scope.afterCommit(() => scope.ctx.engine.wakeWorkers())
}
