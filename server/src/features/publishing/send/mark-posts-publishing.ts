import type { Context } from '../../../context.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { markPublishing } from './arm.store.ts'
import type { LoadedChannel } from '../open-channel.ts'

/**
 * The first channel on its way makes its post `publishing`. Apart from the guards' transaction, which locks channels: whoever changes a
 * post locks it before its channels, and the two would wait for each other. A post that has ended meanwhile is left as it is.
 */
export async function markPostsPublishing(ctx: Context, sent: readonly LoadedChannel[]): Promise<void> {
  const waiting = sent.filter(({ post }) => post.status === 'queued' || post.status === 'scheduled').map(({ post }) => post)
  if (waiting.length === 0) return
  const atMs = ctx.nowMs()
  await ctx.db.system.transaction().execute(async (tx) => {
    const started = await markPublishing(tx, waiting)
    await recordEvents(
      tx,
      started.map((post) => ({ ...post, event: 'upload.publishing' as const, atMs })),
    )
  })
}
