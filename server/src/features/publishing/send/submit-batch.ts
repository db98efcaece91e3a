import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { armBatch } from './arm-batch.ts'
import type { ChannelToSend, LoadedChannel } from '../open-channel.ts'
import { recoverJobs, submitJob, type Batch, type ChannelRef } from '../jobs.ts'
import { trackSend, trackSettling } from './in-flight.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { Result } from '../settle/result.ts'
import { sendChannel } from './send-channel.ts'
import { takeSlots } from './send-slots.ts'
import { settle, type Finished } from '../settle/settle.ts'

/** How long a run waits for its slowest platform call before it lets go of it. */
const patienceMs = 1500
/** After this long without an answer somebody has to ask the platform. The call itself ends after 30 s. */
const askAfterMs = 40_000
const askSoonMs = 500

type Send = { loaded: LoadedChannel; ref: ChannelRef; result: Result | null; done: Promise<void> }

/**
 * Sends a batch of due channels: one transaction sets the guards, the calls go out together, one transaction settles what came back.
 * A call that takes long does not hold the run: this process settles it when its answer comes, and an errand asks after it should the
 * process die first. Safe to run again: what is already guarded is asked about, never sent.
 */
export async function submitBatch(ctx: Context, { platform, refs }: Batch): Promise<Job[]> {
  const release = await takeSlots(ctx, platform, refs.length)
  const { send, lost, ask, early } = await armBatch(ctx, refs).catch((error: unknown) => {
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
    finishedOf(channel, refOf(channel), { kind: 'failed', error: channelError('connection_removed') }),
  )
  const jobs = await settle(ctx, [...answered, ...gone])
  return [
    ...jobs,
    ...recoverJobs([...unknown, ...ask], 0, askSoonMs),
    ...recoverJobs(
      slow.map(({ ref }) => ref),
      0,
      askAfterMs,
    ),
    ...early.map(({ ref, waitMs }) => submitJob({ platform, refs: [ref] }, waitMs)),
  ]
}

function sort(sends: readonly Send[]): { answered: Finished[]; unknown: ChannelRef[]; slow: Send[] } {
  const answered: Finished[] = []
  const unknown: ChannelRef[] = []
  const slow: Send[] = []
  for (const send of sends) {
    const { result, ref, loaded } = send
    if (!result) slow.push(send)
    else if (result.kind === 'unknown') unknown.push(ref)
    else answered.push(finishedOf(loaded.channel, ref, result))
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

function start(ctx: Context, loaded: LoadedChannel): Send {
  const ref = refOf(loaded.channel)
  const send: Send = { loaded, ref, result: null, done: Promise.resolve() }
  send.done = trackSend(ctx, ref, sendChannel(ctx, loaded)).then((result) => {
    send.result = result
  })
  return send
}

/** The answer came after the run had gone on. Should this fail, the errand that asks after it finds out the same. */
function settleLater(ctx: Context, send: Send): void {
  const settled = send.done
    .then(async () => {
      const { result, loaded, ref } = send
      if (!result || result.kind === 'unknown') return
      const jobs = await settle(ctx, [finishedOf(loaded.channel, ref, result)])
      const key = `${ref.channelId}:${ref.generation}`
      await Promise.all(jobs.map((job) => ctx.engine.send(job, `${key}:${job.handler}`)))
    })
    .catch((error: unknown) =>
      ctx.log.warn({ err: error, channel: send.ref.channelId }, 'a late answer could not be settled; it will be asked for'),
    )
  trackSettling(ctx, settled)
}

function finishedOf(channel: ChannelToSend, ref: ChannelRef, result: Finished['result']): Finished {
  return { ref, postId: channel.post_id, result }
}

export function refOf(channel: ChannelToSend): ChannelRef {
  return { workspaceId: channel.workspace_id, channelId: channel.id, generation: channel.generation }
}
