import type { Post } from '@carillon/contract'
import { isStoppable } from '@carillon/core'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels, updatePost, type PostWithChannels } from './post.store.ts'
import { showPost } from './reading/show-post.ts'
import { resolveTime } from './resolve-time.ts'

/** A scheduled post goes out now. */
export async function publishNow(scope: RequestScope, id: string): Promise<Post> {
  const now = new Date(scope.nowMs)
  const { post, channels } = await lockScheduled(scope, id)
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(scope.tx, key, { status: 'publishing', updated_at: now })
  await moveChannels(
    scope.tx,
    key,
    channels.map((channel) => channel.id),
    { state: 'scheduled', due_at: now, dispatch_at: now, staged: null },
  )
  scope.afterCommit(() => scope.ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}

export async function reschedule(
  scope: RequestScope,
  id: string,
  time: { scheduledAt: string; timezone?: string },
): Promise<Post> {
  const { tx, nowMs } = scope
  const { post, channels } = await lockScheduled(scope, id)
  const { at, wall, timezone, isNow } = resolveTime(
    { scheduledAt: time.scheduledAt, timezone: time.timezone ?? post.timezone },
    nowMs,
  )
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(tx, key, { scheduled_at: at, scheduled_wall: wall, timezone, updated_at: new Date(nowMs) })
  await moveChannels(
    tx,
    key,
    channels.map((channel) => channel.id),
    { state: 'scheduled', due_at: at, dispatch_at: at, staged: null },
  )
  await recordEvents(tx, [{ workspaceId: key.workspaceId, event: 'upload.scheduled', postId: key.id, atMs: nowMs }])
  if (isNow) scope.afterCommit(() => scope.ctx.engine.wakeWorkers())
  return showPost(scope, await loadPost(scope, post.id))
}

/** Back to draft. The time stays as a wish; publishing the draft schedules it again if it still lies ahead. */
export async function unschedule(scope: RequestScope, id: string): Promise<Post> {
  const { post, channels } = await lockScheduled(scope, id)
  const key = { workspaceId: scope.principal.workspaceId, id: post.id }
  await updatePost(scope.tx, key, { status: 'draft', updated_at: new Date(scope.nowMs) })
  await moveChannels(
    scope.tx,
    key,
    channels.map((channel) => channel.id),
    { state: 'draft', due_at: null, dispatch_at: null, staged: null },
  )
  return showPost(scope, await loadPost(scope, post.id))
}

/** Locked, scheduled, and none of its channels on the way yet. */
async function lockScheduled(scope: RequestScope, id: string): Promise<PostWithChannels> {
  const found = await lockPost(scope, id)
  if (found.post.status === 'publishing') throw problem('already_publishing')
  if (found.post.status !== 'scheduled') throw problem('not_scheduled')
  if (!found.channels.every(({ state }) => isStoppable(state) || state === 'canceled')) throw problem('already_publishing')
  return { post: found.post, channels: found.channels.filter(({ state }) => state !== 'canceled') }
}
