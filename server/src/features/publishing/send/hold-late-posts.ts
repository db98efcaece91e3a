import type { Context } from '../../../context.ts'
import { recordPostChanges } from '../../events/outbox.store.ts'
import type { ChannelRef } from '../channel-ref.ts'
import type { Batch } from '../jobs.ts'
import { findLatePosts, holdPost } from './hold-late.store.ts'

/** How late a batch must be before the workspaces' settings are read at all. */
const checkFromMs = 60_000

/**
 * Returns posts to draft, with the reason, that would be published later than their workspace accepts, and returns the channels that remain
 * to be sent. Only posts of which nothing was ever sent are held: once one channel may be published, the others are sent too.
 */
export async function holdLatePosts(ctx: Context, { refs, dueAtMs }: Batch): Promise<readonly ChannelRef[]> {
  if (ctx.nowMs() - dueAtMs < checkFromMs) return refs
  const late = await findLatePosts(ctx.db.system, refs)
  if (late.length === 0) return refs
  const held = new Set<string>()
  for (const post of late) {
    // The post is locked before its channels, as everywhere else; the decision is made under that lock.
    const channelIds = await ctx.db.system.transaction().execute(async (tx) => {
      const ids = await holdPost(tx, post)
      if (ids.length > 0) await recordPostChanges(tx, [{ workspaceId: post.workspace_id, postId: post.id }], ctx.nowMs())
      return ids
    })
    for (const id of channelIds) held.add(id)
  }
  if (held.size > 0) ctx.log.warn({ channels: held.size }, 'late posts returned to draft, as their workspaces want')
  return refs.filter(({ channelId }) => !held.has(channelId))
}
