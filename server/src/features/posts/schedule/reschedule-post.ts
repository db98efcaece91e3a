import type { Post } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { loadPost } from '../load-post.ts'
import { lockScheduledPost } from './lock-scheduled-post.ts'
import { moveChannels, updatePost } from '../post.store.ts'
import { showPost } from '../reading/show-post.ts'
import { resolveTime } from './resolve-time.ts'

/** Moves a scheduled post to another time. */
export async function reschedulePost(
  scope: RequestScope,
  id: string,
  time: { scheduledAt: string; timezone?: string },
): Promise<Post> {
  const { tx, nowMs } = scope
  const { post, channels } = await lockScheduledPost(scope, id)
  const { at, wall, timezone, isNow } = resolveTime(
    { scheduledAt: time.scheduledAt, timezone: time.timezone ?? post.timezone },
    nowMs,
  )
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(tx, key, { scheduled_at: at, scheduled_wall: wall, timezone, updated_at: new Date(nowMs) })
  const channelIds = channels.map((channel) => channel.id)
  await moveChannels(tx, key, { channelIds, transition: 'schedule', change: { due_at: at, dispatch_at: at } })
  await recordEvents(tx, [{ workspaceId: key.workspaceId, event: 'upload.scheduled', postId: key.id, atMs: nowMs }])
  if (isNow) scope.afterCommit(() => scope.ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}
