import type { Context } from '../../../context.ts'
import { readCell } from '../../../infra/cell/cell.store.ts'
import { rememberSends } from '../../../infra/cell/check-witness.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { refOf, type ChannelRef } from '../channel-ref.ts'
import { createBatcher } from '../create-batcher.ts'
import type { ChannelToSend, LoadedChannel } from '../open-channel.ts'
import { armChannels, disarm, findChannelRefs, loadAround } from './arm.store.ts'
import { markPostsPublishing } from './mark-posts-publishing.ts'
import { leaseSends } from './rate-leases.ts'
import { startLease, type SendLease } from './send-lease.ts'

export type Armed = {
  /** To be sent now, by this run and no other. */
  send: LoadedChannel[]
  /** Their connection is gone. */
  lost: ChannelToSend[]
  /** An earlier run set the guard and did not finish: ask the platform, never send. */
  ask: ChannelRef[]
  /** Enqueued too early; to be tried again after this long. */
  early: { ref: ChannelRef; waitMs: number }[]
  /** How long the guards allow sending. */
  lease: SendLease
}

const uncheckedWaitMs = 500

const isOverdue = ({ state, waitMs }: { state: string; waitMs: number }) => state === 'dispatched' && waitMs <= -1000

async function isCellUnchecked(tx: Tx): Promise<boolean> {
  const { isOpen, fencedAt } = await readCell(tx)
  return !isOpen && fencedAt === null
}

/** One transaction: sets the guards and takes the rate leases. */
async function armAll(ctx: Context, refs: readonly ChannelRef[]): Promise<Armed> {
  const lease = startLease()
  const all = await ctx.db.system.transaction().execute(async (tx) => {
    const armed = await armChannels(tx, refs)
    const others = armed.length < refs.length ? await findChannelRefs(tx, refs) : []
    const mine = new Set(armed.map(({ id }) => id))
    const isUnchecked = others.some(isOverdue) && (await isCellUnchecked(tx))
    const around = await loadAround(tx, armed)
    const { go, wait } = await leaseSends(ctx, tx, around.loaded)
    await disarm(
      tx,
      wait.map(({ loaded, untilMs, reason }) => ({ channel: loaded.channel, untilMs, reason })),
    )
    return {
      send: go,
      lost: around.lost,
      ask: others.filter(({ state, channelId }) => state === 'submitting' && !mine.has(channelId)),
      // Due and still not armed: the database is fenced. Such a channel returns to the schedule by the sweep. A database that was only not
      // compared yet, because PostgreSQL has just restarted or failed over, opens in a moment.
      early: others.flatMap((other) => {
        if (isOverdue(other)) return isUnchecked ? [{ ref: other, waitMs: uncheckedWaitMs }] : []
        return other.state === 'dispatched' ? [{ ref: other, waitMs: Math.max(1, other.waitMs) }] : []
      }),
      lease,
    }
  })
  rememberSends(
    ctx,
    all.send.map(({ channel }) => refOf(channel)),
  )
  // The calls do not wait for this: it is what people are shown, and guards nothing.
  markPostsPublishing(ctx, all.send).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'posts that are being sent were not marked as publishing'),
  )
  return all
}

const armMax = 500

const createArmBatcher = () => ({
  value: createBatcher<ChannelRef, Armed>({
    max: armMax,
    keyOf: ({ channelId }) => channelId,
    work: armAll,
    share({ send, lost, ask, early, lease }, refs) {
      const mine = new Set(refs.map(({ channelId }) => channelId))
      return {
        send: send.filter(({ channel }) => mine.has(channel.id)),
        lost: lost.filter(({ id }) => mine.has(id)),
        ask: ask.filter(({ channelId }) => mine.has(channelId)),
        early: early.filter(({ ref }) => mine.has(ref.channelId)),
        lease,
      }
    },
  }),
})

/** Sets the guards of a batch, in one transaction with other batches that arrive at the same moment. */
export function armBatch(ctx: Context, refs: readonly ChannelRef[]): Promise<Armed> {
  if (refs.length === 0) return Promise.resolve({ send: [], lost: [], ask: [], early: [], lease: startLease() })
  return ctx.resources.get(createArmBatcher, ctx)(ctx, refs)
}
