import type { Context } from '../../../context.ts'
import { armChannels, disarm, findChannelRefs, loadAround } from './arm.store.ts'
import type { ChannelToSend, LoadedChannel } from '../open-channel.ts'
import type { ChannelRef } from '../jobs.ts'
import { createBatcher } from '../create-batcher.ts'
import { holdLate } from './hold-late.store.ts'
import { markPostsPublishing } from './mark-posts-publishing.ts'
import { leaseSends } from './rate-leases.ts'

export type Armed = {
  /** To be sent now, by this run and no other. */
  send: LoadedChannel[]
  /** Their connection is gone. */
  lost: ChannelToSend[]
  /** An earlier run set the guard and did not come back: ask, never send. */
  ask: ChannelRef[]
  /** Handed over too early; come back after this long. */
  early: { ref: ChannelRef; waitMs: number }[]
}

/** One transaction: sets the guards and takes the rate leases. */
async function armAll(ctx: Context, refs: readonly ChannelRef[]): Promise<Armed> {
  const all = await ctx.db.system.transaction().execute(async (tx) => {
    const armed = await armChannels(tx, refs)
    const others = armed.length < refs.length ? await findChannelRefs(tx, refs) : []
    const mine = new Set(armed.map(({ id }) => id))
    const around = await loadAround(tx, armed)
    const { timely, held } = await holdLate(tx, around.loaded, ctx.nowMs())
    const { go, wait } = await leaseSends(ctx, tx, timely)
    await disarm(
      tx,
      wait.map(({ loaded }) => loaded.channel),
      wait.map(({ untilMs }) => untilMs),
    )
    if (held > 0) ctx.log.warn({ held }, 'late posts went back to draft, as their workspaces want')
    return {
      send: go,
      lost: around.lost,
      ask: others.filter(({ state, channelId }) => state === 'submitting' && !mine.has(channelId)),
      early: others.flatMap((other) =>
        other.state === 'dispatched'
          ? [{ ref: other, waitMs: Math.max(1, (other.dispatchAt?.getTime() ?? 0) - ctx.nowMs()) }]
          : [],
      ),
    }
  })
  // The calls need not wait for this: it is what people are told, not what guards anything.
  markPostsPublishing(ctx, all.send).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'posts on their way were not marked as such'),
  )
  return all
}

const armMax = 500

const createArmBatcher = () => ({
  value: createBatcher<ChannelRef, Armed>({
    max: armMax,
    keyOf: ({ channelId }) => channelId,
    work: armAll,
    share({ send, lost, ask, early }, refs) {
      const mine = new Set(refs.map(({ channelId }) => channelId))
      return {
        send: send.filter(({ channel }) => mine.has(channel.id)),
        lost: lost.filter(({ id }) => mine.has(id)),
        ask: ask.filter(({ channelId }) => mine.has(channelId)),
        early: early.filter(({ ref }) => mine.has(ref.channelId)),
      }
    },
  }),
})

/** Sets the guards of a batch, in one transaction with other batches that arrive at the same moment. */
export function armBatch(ctx: Context, refs: readonly ChannelRef[]): Promise<Armed> {
  return ctx.resources.get(createArmBatcher, ctx)(ctx, refs)
}
