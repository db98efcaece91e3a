import type { Context } from '../context.ts'
import { noteEvents } from '../events/note-events.ts'
import { armChannels, disarm, findTickets, loadAround, markPublishing } from './arm.store.ts'
import type { Loaded } from './armed.ts'
import type { Ticket } from './errands.ts'
import { holdLate } from './hold-late.store.ts'
import type { ChannelRow } from './post.store.ts'
import { leaseSends } from './rate-leases.ts'

export type Armed = {
  /** To be sent now, by this run and no other. */
  send: Loaded[]
  /** Their connection is gone. */
  lost: ChannelRow[]
  /** An earlier run set the guard and did not come back: ask, never send. */
  ask: Ticket[]
  /** Handed over too early; come back after this long. */
  early: { ticket: Ticket; waitMs: number }[]
}

/** One transaction: sets the guards, takes the rate leases, and marks the posts as publishing. */
export function armBatch(ctx: Context, tickets: readonly Ticket[]): Promise<Armed> {
  return ctx.db.system.transaction().execute(async (tx) => {
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
    const started = await markPublishing(
      tx,
      go.map(({ post }) => post),
    )
    await noteEvents(
      tx,
      started.map(({ workspaceId, postId }) => ({ workspaceId, postId, event: 'upload.publishing' as const, atMs: ctx.nowMs() })),
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
}
