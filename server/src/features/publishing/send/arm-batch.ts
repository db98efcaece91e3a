import type { Context } from '../../../context.ts'
import { readCell } from '../../../infra/cell/cell.store.ts'
import { rememberSends } from '../../../infra/cell/check-witness.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { type ChannelRef, refOf } from '../channel-ref.ts'
import { createBatcher } from '../create-batcher.ts'
import type { ChannelToSend, LoadedChannel } from '../open-channel.ts'
import { armChannels, disarm, findArmedBy, findChannelRefs, loadAround, markPublishing } from './arm.store.ts'
import { leaseSends } from './rate-leases.ts'
import { type SendLease, startLease } from './send-lease.ts'

/** A channel that is guarded, and how long its guard allows sending. */
type ArmedChannel = LoadedChannel & { lease: SendLease }

export type Armed = {
  /** To be sent now, by this run and no other. */
  send: ArmedChannel[]
  /** Their connection is gone. */
  lost: ChannelToSend[]
  /** An earlier run set the guard and did not finish: ask the platform, never send. */
  ask: ChannelRef[]
  /** Enqueued too early; to be tried again after this long. */
  early: { ref: ChannelRef; waitMs: number }[]
}

const uncheckedWaitMs = 500
/** For this long a process recognises a guard of its own whose commit was not answered. */
const unansweredMsMax = 600_000

const isOverdue = ({ state, waitMs }: { state: string; waitMs: number }) => state === 'dispatched' && waitMs <= -1000

/** A transaction of this process that may have set guards: its commit was not answered. Nothing was sent for these channels. */
type Unanswered = { lease: SendLease; channelIds: Set<string> }

const createUnanswered = () => ({ value: new Map<string, Unanswered>() })

async function armAll(ctx: Context, refs: readonly ChannelRef[]): Promise<Armed> {
  const armedBy = newUuid()
  const lease = startLease()
  try {
    return await armOnce(ctx, refs, { armedBy, lease })
  } catch (error) {
    const unanswered = ctx.resources.get(createUnanswered, ctx)
    unanswered.set(armedBy, { lease, channelIds: new Set(refs.map(({ channelId }) => channelId)) })
    setTimeout(() => unanswered.delete(armedBy), unansweredMsMax).unref()
    throw error
  }
}

/** One transaction: sets the guards and takes the rate leases. */
async function armOnce(
  ctx: Context,
  refs: readonly ChannelRef[],
  { armedBy, lease }: { armedBy: string; lease: SendLease },
): Promise<Armed> {
  const { result, guards } = await ctx.db.system.transaction().execute(async (tx) => {
    const armed = await armChannels(tx, refs, armedBy)
    const others = armed.length < refs.length ? await findChannelRefs(tx, refs) : []
    const own = await findOwnGuards(ctx, tx, others)
    const cell = others.some(isOverdue) || own.length > 0 ? await readCell(tx) : null
    const isUnchecked = cell !== null && !cell.isOpen && cell.fencedAt === null
    const around = await loadAround(tx, armed)
    const { go, wait } = await leaseSends(ctx, tx, around.loaded)
    await disarm(
      tx,
      wait.map(({ loaded, untilMs, reason }) => ({ channel: loaded.channel, untilMs, reason })),
    )
    // The transaction that set these guards has taken their rate leases too.
    const again = await loadAround(tx, cell?.isOpen ? own.map(({ channel }) => channel) : [])
    const leases = new Map(own.map((guard) => [guard.channel.id, guard.lease]))
    const known = new Set([...armed.map(({ id }) => id), ...(cell?.isOpen || isUnchecked ? leases.keys() : [])])
    const all: Armed = {
      send: [...go, ...again.loaded].map((loaded) => ({ ...loaded, lease: leases.get(loaded.channel.id) ?? lease })),
      lost: [...around.lost, ...again.lost],
      ask: others.filter(({ state, channelId }) => state === 'submitting' && !known.has(channelId)),
      // Due and still not armed: the database is fenced. Such a channel returns to the schedule by the sweep. A database that was only not
      // compared yet, because PostgreSQL has just restarted or failed over, opens in a moment.
      early: others.flatMap((other) => {
        if (isOverdue(other) || leases.has(other.channelId)) return isUnchecked ? [{ ref: other, waitMs: uncheckedWaitMs }] : []
        return other.state === 'dispatched' ? [{ ref: other, waitMs: Math.max(1, other.waitMs) }] : []
      }),
    }
    return { result: all, guards: own }
  })
  const isSent = new Set(result.send.map(({ channel }) => channel.id))
  for (const { channel, unanswered } of guards) if (isSent.has(channel.id)) unanswered.channelIds.delete(channel.id)
  rememberSends(
    ctx,
    result.send.map(({ channel }) => refOf(channel)),
  )
  // The calls do not wait for this: it is what people are shown, and guards nothing.
  markPostsPublishing(ctx, result.send).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'posts that are being sent were not marked as publishing'),
  )
  return result
}

type OwnGuard = { channel: ChannelToSend; lease: SendLease; unanswered: Unanswered }

/** Guards that this process set in a transaction whose commit was not answered, each until it was recognised once. */
async function findOwnGuards(ctx: Context, tx: Tx, refs: readonly ChannelRef[]): Promise<OwnGuard[]> {
  const all = ctx.resources.get(createUnanswered, ctx)
  if (all.size === 0 || refs.length === 0) return []
  const channels = await findArmedBy(tx, refs, [...all.keys()])
  return channels.flatMap((channel) => {
    const unanswered = all.get(channel.armed_by)
    return unanswered?.channelIds.has(channel.id) ? [{ channel, lease: unanswered.lease, unanswered }] : []
  })
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
  if (refs.length === 0) return Promise.resolve({ send: [], lost: [], ask: [], early: [] })
  return ctx.resources.get(createArmBatcher, ctx)(ctx, refs)
}

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
