import type { Post } from '@carillon/contract'
import { isStoppable } from '@carillon/core'
import type { Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { noteEvents } from '../events/note-events.ts'
import { loadPost, lockPost } from './load-post.ts'
import { moveChannels, updatePost, type PostWithChannels } from './post.store.ts'
import { showPost } from './show-post.ts'
import { resolveTime } from './resolve-time.ts'

/** A scheduled post goes out now. */
export async function publishNow(asked: Asked, id: string): Promise<Post> {
  const now = new Date(asked.nowMs)
  const { post, channels } = await lockScheduled(asked, id)
  const key = { workspaceId: asked.principal.workspaceId, id: post.id }
  await updatePost(asked.tx, key, { status: 'publishing', updated_at: now })
  await moveChannels(
    asked.tx,
    key,
    channels.map((channel) => channel.id),
    { state: 'scheduled', due_at: now, dispatch_at: now, staged: null },
  )
  asked.afterCommit(() => asked.ctx.engine.nudge())
  return showPost(asked, await loadPost(asked, post.id))
}

export async function reschedule(asked: Asked, id: string, time: { scheduledAt: string; timezone?: string }): Promise<Post> {
  const { tx, nowMs } = asked
  const { post, channels } = await lockScheduled(asked, id)
  const { at, wall, timezone, isNow } = resolveTime(
    { scheduledAt: time.scheduledAt, timezone: time.timezone ?? post.timezone },
    nowMs,
  )
  const key = { workspaceId: asked.principal.workspaceId, id: post.id }
  await updatePost(tx, key, { scheduled_at: at, scheduled_wall: wall, timezone, updated_at: new Date(nowMs) })
  await moveChannels(
    tx,
    key,
    channels.map((channel) => channel.id),
    { state: 'scheduled', due_at: at, dispatch_at: at, staged: null },
  )
  await noteEvents(tx, [{ workspaceId: key.workspaceId, event: 'upload.scheduled', postId: key.id, atMs: nowMs }])
  if (isNow) asked.afterCommit(() => asked.ctx.engine.nudge())
  return showPost(asked, await loadPost(asked, post.id))
}

/** Back to draft. The time stays as a wish; publishing the draft schedules it again if it still lies ahead. */
export async function unschedule(asked: Asked, id: string): Promise<Post> {
  const { post, channels } = await lockScheduled(asked, id)
  const key = { workspaceId: asked.principal.workspaceId, id: post.id }
  await updatePost(asked.tx, key, { status: 'draft', updated_at: new Date(asked.nowMs) })
  await moveChannels(
    asked.tx,
    key,
    channels.map((channel) => channel.id),
    { state: 'draft', due_at: null, dispatch_at: null, staged: null },
  )
  return showPost(asked, await loadPost(asked, post.id))
}

/** Locked, scheduled, and none of its channels on the way yet. */
async function lockScheduled(asked: Asked, id: string): Promise<PostWithChannels> {
  const found = await lockPost(asked, id)
  if (found.post.status === 'publishing') throw problem('already_publishing')
  if (found.post.status !== 'scheduled') throw problem('not_scheduled')
  if (!found.channels.every(({ state }) => isStoppable(state) || state === 'canceled')) throw problem('already_publishing')
  return { post: found.post, channels: found.channels.filter(({ state }) => state !== 'canceled') }
}
