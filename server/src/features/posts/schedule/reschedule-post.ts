import type { Post } from '@carillon/contract'
import { isStoppable } from '@carillon/core'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { endApproval } from '../approval/record-decision.ts'
import { loadPost, lockPost } from '../load-post.ts'
import { fieldsFromRow } from '../post-fields.ts'
import { type PostWithChannels, moveChannels, updatePost } from '../post.store.ts'
import { showPost } from '../reading/present-post.ts'
import { permitRelease } from '../release/permit-release.ts'
import { type Timing, resolveTime } from './resolve-time.ts'

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

/** Locks a post that is scheduled and has no channel that is already being sent. Returns it without its canceled channels. */
export async function lockScheduledPost(scope: RequestScope, id: string): Promise<PostWithChannels> {
  const found = await lockPost(scope, id)
  if (found.post.status === 'publishing') throw problem('already_publishing')
  if (found.post.status !== 'scheduled') throw problem('not_scheduled')
  if (!found.channels.every(({ state }) => isStoppable(state) || state === 'canceled')) throw problem('already_publishing')
  return { post: found.post, channels: found.channels.filter(({ state }) => state !== 'canceled') }
}

/** Turns a scheduled post back into a draft. Its time stays: publishing the draft schedules it again if the time is in the future. */
export async function unschedulePost(scope: RequestScope, id: string): Promise<Post> {
  const { post, channels } = await lockScheduledPost(scope, id)
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(scope.tx, key, { status: 'draft', updated_at: new Date(scope.nowMs) })
  await moveChannels(scope.tx, key, { channelIds: channels.map((channel) => channel.id), transition: 'unschedule' })
  await endApproval(scope, post)
  return showPost(scope, await loadPost(scope, post.id))
}

/** Publishes a scheduled post now. */
export async function publishNow(scope: RequestScope, id: string): Promise<Post> {
  const now = new Date(scope.nowMs)
  const { post, channels } = await lockScheduledPost(scope, id)
  const slugs = channels.map((channel) => channel.connection_slug)
  await permitRelease(scope, { postId: post.id, dueAt: now, fields: fieldsFromRow(post), slugs })
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(scope.tx, key, { status: 'publishing', updated_at: now })
  const channelIds = channels.map((channel) => channel.id)
  await moveChannels(scope.tx, key, { channelIds, transition: 'schedule', change: { due_at: now, dispatch_at: now } })
  await endApproval(scope, post)
  scope.afterCommit(() => scope.ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}
