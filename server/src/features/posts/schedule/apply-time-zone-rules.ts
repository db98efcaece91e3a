import { instantOfWall, isStoppable } from '@carillon/core'
import type { Context } from '../../../context.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { findForUpdate, moveChannels, updatePost } from '../post.store.ts'
import { findRulesVersion, listWallTimes, saveRulesVersion, type WallTime } from './time-zone-rules.store.ts'

const pageSize = 1000

/**
 * Moves scheduled posts after a change of time zone rules. A person who asked for 9:00 still wants 9:00 when a country changes its clocks,
 * so the instant moves and the wall time stays. New rules come with a new version of Node, so a starting worker compares versions. A worker
 * that still runs with older rules does nothing.
 */
export async function applyTimeZoneRules(ctx: Context, version = process.versions['tz'] ?? ''): Promise<void> {
  const known = await findRulesVersion(ctx.db.system)
  if (known !== null && known >= version) return
  let moved = 0
  let after = { workspaceId: '', id: '' }
  for (let isMore = true; isMore;) {
    const page = await listWallTimes(ctx.db.system, after, pageSize)
    for (const post of page) if (await moveToWallTime(ctx, post)) moved++
    after = page.at(-1) ?? after
    isMore = page.length === pageSize
  }
  await saveRulesVersion(ctx.db.system, version)
  if (moved > 0) ctx.log.warn({ moved, version }, 'moved scheduled posts to keep their wall time under new time zone rules')
}

async function moveToWallTime(ctx: Context, { workspaceId, id, wall, timezone, at }: WallTime): Promise<boolean> {
  const instant = instantOfWall(wall, timezone)
  if (instant === null || at === null || Date.parse(instant) === at.getTime()) return false
  return ctx.db.tenant(workspaceId, async (tx) => {
    const found = await findForUpdate(tx, { workspaceId, id })
    // The post may have been moved or published since it was listed.
    if (found?.post.scheduled_wall !== wall || found.post.timezone !== timezone) return false
    const { status } = found.post
    const channels = found.channels.filter(({ state }) => state !== 'canceled')
    if (status !== 'draft' && !(status === 'scheduled' && channels.every(({ state }) => isStoppable(state)))) return false
    const key = { workspaceId, id }
    const to = new Date(instant)
    await updatePost(tx, key, { scheduled_at: to, updated_at: new Date(ctx.nowMs()) })
    if (status === 'draft') return true
    const channelIds = channels.map((channel) => channel.id)
    await moveChannels(tx, key, { channelIds, transition: 'schedule', change: { due_at: to, dispatch_at: to } })
    await recordEvents(tx, [{ workspaceId, event: 'upload.scheduled', postId: id, atMs: ctx.nowMs() }])
    return true
  })
}
