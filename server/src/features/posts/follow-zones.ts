import { instantOfWall, isStoppable } from '@carillon/core'
import type { Context } from '../../context.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { findLocked, moveChannels, updatePost } from './post.store.ts'
import { findEdition, listWallTimes, saveEdition, type WallTime } from './zone-rules.store.ts'

const pageSize = 1000

/**
 * A country that changes its clocks moves instants, not the wall times people asked for. New rules come with a new edition of the runtime,
 * so they are looked for when a worker starts; whoever still runs with older rules changes nothing back.
 */
export async function followZones(ctx: Context, edition = process.versions['tz'] ?? ''): Promise<void> {
  const known = await findEdition(ctx.db.system)
  if (known !== null && known >= edition) return
  let moved = 0
  let after = { workspaceId: '', id: '' }
  for (let isMore = true; isMore;) {
    const page = await listWallTimes(ctx.db.system, after, pageSize)
    for (const each of page) if (await moveToWall(ctx, each)) moved++
    after = page.at(-1) ?? after
    isMore = page.length === pageSize
  }
  await saveEdition(ctx.db.system, edition)
  if (moved > 0) ctx.log.warn({ moved, edition }, 'posts were moved to their wall time by new time zone rules')
}

async function moveToWall(ctx: Context, { workspaceId, id, wall, timezone, at }: WallTime): Promise<boolean> {
  const instant = instantOfWall(wall, timezone)
  if (instant === null || at === null || Date.parse(instant) === at.getTime()) return false
  return ctx.db.tenant(workspaceId, async (tx) => {
    const found = await findLocked(tx, { workspaceId, id })
    // Somebody may have moved or published it since it was listed.
    if (found?.post.scheduled_wall !== wall || found.post.timezone !== timezone) return false
    const { status } = found.post
    const channels = found.channels.filter(({ state }) => state !== 'canceled')
    if (status !== 'draft' && !(status === 'scheduled' && channels.every(({ state }) => isStoppable(state)))) return false
    const key = { workspaceId, id }
    const to = new Date(instant)
    await updatePost(tx, key, { scheduled_at: to, updated_at: new Date(ctx.nowMs()) })
    if (status === 'draft') return true
    const ids = channels.map((channel) => channel.id)
    await moveChannels(tx, key, ids, { state: 'scheduled', due_at: to, dispatch_at: to, staged: null })
    await recordEvents(tx, [{ workspaceId, event: 'upload.scheduled', postId: id, atMs: ctx.nowMs() }])
    return true
  })
}
