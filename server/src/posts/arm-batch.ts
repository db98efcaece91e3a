import type { Context } from '../context.ts'
import { armChannels, disarm, findTickets, loadAround } from './arm.store.ts'
import type { CarriedChannel, Loaded } from './armed.ts'
import type { Ticket } from './errands.ts'
import { gather } from './gather.ts'
import { holdLate } from './hold-late.store.ts'
import { notePublishing } from './note-publishing.ts'
import { leaseSends } from './rate-leases.ts'

export type Armed = {
  /** To be sent now, by this run and no other. */
  send: Loaded[]
  /** Their connection is gone. */
  lost: CarriedChannel[]
  /** An earlier run set the guard and did not come back: ask, never send. */
  ask: Ticket[]
  /** Handed over too early; come back after this long. */
  early: { ticket: Ticket; waitMs: number }[]
}

/** One transaction: sets the guards and takes the rate leases. */
async function armAll(ctx: Context, tickets: readonly Ticket[]): Promise<Armed> {
  const all = await ctx.db.system.transaction().execute(async (tx) => {
    const armed = await armChannels(tx, tickets)
    const others = armed.length < tickets.length ? await findTickets(tx, tickets) : []
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
          ? [{ ticket: other, waitMs: Math.max(1, (other.dispatchAt?.getTime() ?? 0) - ctx.nowMs()) }]
          : [],
      ),
    }
  })
  // The calls need not wait for this: it is what people are told, not what guards anything.
  notePublishing(ctx, all.send).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'posts on their way were not marked as such'),
  )
  return all
}

const armMax = 500

/** Sets the guards of a batch, together with those of other batches that come at the same moment. */
export const armBatch = gather<Ticket, Armed>({
  max: armMax,
  keyOf: ({ channelId }) => channelId,
  work: armAll,
  share({ send, lost, ask, early }, tickets) {
    const mine = new Set(tickets.map(({ channelId }) => channelId))
    return {
      send: send.filter(({ channel }) => mine.has(channel.id)),
      lost: lost.filter(({ id }) => mine.has(id)),
      ask: ask.filter(({ channelId }) => mine.has(channelId)),
      early: early.filter(({ ticket }) => mine.has(ticket.channelId)),
    }
  },
})
