import type { Context } from '../context.ts'
import type { Errand } from '../engine/engine.ts'
import { armBatch } from './arm-batch.ts'
import type { CarriedChannel, Loaded } from './armed.ts'
import { recoverErrands, submitErrand, type Batch, type Ticket } from './errands.ts'
import { trackSend } from './in-flight.ts'
import { channelError } from './judge-failure.ts'
import type { Result } from './result.ts'
import { sendChannel } from './send-channel.ts'
import { takeSlots } from './send-slots.ts'
import { settle, type Finished } from './settle.ts'

/** How long a run waits for its slowest platform call before it lets go of it. */
const patienceMs = 1500
/** After this long without an answer somebody has to ask the platform. The call itself ends after 30 s. */
const askAfterMs = 40_000
const askSoonMs = 500

type Send = { loaded: Loaded; ticket: Ticket; result: Result | null; done: Promise<void> }

/**
 * Sends a batch of due channels: one transaction sets the guards, the calls go out together, one transaction settles what came back.
 * A call that takes long does not hold the run: this process settles it when its answer comes, and an errand asks after it should the
 * process die first. Safe to run again: what is already guarded is asked about, never sent.
 */
export async function submitBatch(ctx: Context, { platform, tickets }: Batch): Promise<Errand[]> {
  const release = await takeSlots(platform, tickets.length)
  const { send, lost, ask, early } = await armBatch(ctx, tickets).catch((error: unknown) => {
    release()
    throw error
  })
  const sends = send.map((loaded) => start(ctx, loaded))
  await answersOrPatience(sends)
  release()

  // One look at who has answered: an answer that comes while others are being settled belongs to the slow.
  const { answered, unknown, slow } = sort(sends)
  for (const each of slow) settleLater(ctx, each)
  const gone = lost.map((channel) =>
    finishedOf(channel, ticketOf(channel), { kind: 'failed', error: channelError('connection_removed') }),
  )
  const errands = await settle(ctx, [...answered, ...gone])
  return [
    ...errands,
    ...recoverErrands([...unknown, ...ask], 0, askSoonMs),
    ...recoverErrands(
      slow.map(({ ticket }) => ticket),
      0,
      askAfterMs,
    ),
    ...early.map(({ ticket, waitMs }) => submitErrand({ platform, tickets: [ticket] }, waitMs)),
  ]
}

function sort(sends: readonly Send[]): { answered: Finished[]; unknown: Ticket[]; slow: Send[] } {
  const answered: Finished[] = []
  const unknown: Ticket[] = []
  const slow: Send[] = []
  for (const send of sends) {
    const { result, ticket, loaded } = send
    if (!result) slow.push(send)
    else if (result.kind === 'unknown') unknown.push(ticket)
    else answered.push(finishedOf(loaded.channel, ticket, result))
  }
  return { answered, unknown, slow }
}

/** Waits until all have answered, or as long as a run may wait. */
async function answersOrPatience(sends: readonly Send[]): Promise<void> {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, patienceMs)
  await Promise.race([Promise.all(sends.map(({ done }) => done)), patience.promise])
  clearTimeout(timer)
}

function start(ctx: Context, loaded: Loaded): Send {
  const ticket = ticketOf(loaded.channel)
  const send: Send = { loaded, ticket, result: null, done: Promise.resolve() }
  send.done = trackSend(ticket, sendChannel(ctx, loaded)).then((result) => {
    send.result = result
  })
  return send
}

/** The answer came after the run had gone on. Should this fail, the errand that asks after it finds out the same. */
function settleLater(ctx: Context, send: Send): void {
  send.done
    .then(async () => {
      const { result, loaded, ticket } = send
      if (!result || result.kind === 'unknown') return
      const errands = await settle(ctx, [finishedOf(loaded.channel, ticket, result)])
      const key = `${ticket.channelId}:${ticket.generation}`
      await Promise.all(errands.map((errand) => ctx.engine.send(errand, `${key}:${errand.handler}`)))
    })
    .catch((error: unknown) =>
      ctx.log.warn({ err: error, channel: send.ticket.channelId }, 'a late answer could not be settled; it will be asked for'),
    )
}

function finishedOf(channel: CarriedChannel, ticket: Ticket, result: Finished['result']): Finished {
  return { ticket, postId: channel.post_id, result }
}

export function ticketOf(channel: CarriedChannel): Ticket {
  return { workspaceId: channel.workspace_id, channelId: channel.id, generation: channel.generation }
}
