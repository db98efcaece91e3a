import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { channelError } from '../../posts/channel-error.ts'
import { refOf, type ChannelRef } from '../channel-ref.ts'
import { recoverJobs, submitJob, type Batch } from '../jobs.ts'
import type { LoadedChannel } from '../open-channel.ts'
import { finishedOf } from '../settle/finished-of.ts'
import type { Finished, Result } from '../settle/result.ts'
import { armBatch } from './arm-batch.ts'
import { holdLatePosts } from './hold-late-posts.ts'
import { trackSend } from './in-flight.ts'
import { sendChannel } from './send-channel.ts'
import { quietAfterMs, type SendLease } from './send-lease.ts'
import { endSendSpan, startSendSpan } from './send-span.ts'
import { takeSlots } from './send-slots.ts'
import { settleUntilStored } from './settle-until-stored.ts'

/** How long a run waits for its slowest platform call before it ends without it. */
const waitMsMax = 1500
const askSoonMs = 2_000

type Send = { loaded: LoadedChannel; ref: ChannelRef; result: Result | null; done: Promise<void> }

/** What a batch led to: results to be stored, and jobs for what is not known yet. */
export type Submitted = { finished: Finished[]; jobs: Job[] }

/**
 * Sends a batch of due channels: one transaction sets the guards, then the calls are made in parallel. A call that takes long does not hold
 * the run: this process stores its result when the answer arrives, and a job finds out about it in case the process dies first. Safe to run
 * again: what is already guarded is asked about, never sent.
 */
export async function submitBatch(ctx: Context, batch: Batch): Promise<Submitted> {
  const { platform } = batch
  const refs = await holdLatePosts(ctx, batch)
  const release = await takeSlots(ctx, platform, refs)
  const { send, lost, ask, early, lease } = await armBatch(ctx, refs).catch((error: unknown) => {
    release()
    throw error
  })
  const sends = send.map((loaded) => start(ctx, loaded, { lease, parent: batch.traces?.[loaded.channel.id] }))
  await answersOrTimeout(sends)
  release()

  // Read the results once: an answer that arrives after this belongs to the slow ones.
  const { answered, unknown, slow } = sort(ctx, sends)
  for (const each of slow) storeLater(ctx, each)
  const gone = lost.map((channel) => finishedOf(ctx, { channel }, { kind: 'failed', error: channelError('connection_removed') }))
  const quietMs = quietAfterMs(connectorOf(ctx, platform))
  return {
    finished: [...answered, ...gone],
    jobs: [
      ...recoverJobs({ refs: unknown, round: 0, callEnded: true }, askSoonMs),
      // Another process set these guards. It may be dead, slow or paused.
      ...recoverJobs({ refs: ask, round: 0, callEnded: false }, askSoonMs),
      ...recoverJobs({ refs: slow.map(({ ref }) => ref), round: 0, callEnded: false }, quietMs),
      ...early.map(({ ref, waitMs }) => submitJob({ ...batch, refs: [ref] }, waitMs)),
    ],
  }
}

function sort(ctx: Context, sends: readonly Send[]): { answered: Finished[]; unknown: ChannelRef[]; slow: Send[] } {
  const answered: Finished[] = []
  const unknown: ChannelRef[] = []
  const slow: Send[] = []
  for (const send of sends) {
    const { result, ref, loaded } = send
    if (!result) slow.push(send)
    else if (result.kind === 'unknown') unknown.push(ref)
    else answered.push(finishedOf(ctx, loaded, result))
  }
  return { answered, unknown, slow }
}

/** Waits until all have answered, or as long as a run may wait. */
async function answersOrTimeout(sends: readonly Send[]): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, waitMsMax)
  await Promise.race([Promise.all(sends.map(({ done }) => done)), timeout.promise])
  clearTimeout(timer)
}

type StartOptions = { lease: SendLease; parent: string | undefined }

function start(ctx: Context, loaded: LoadedChannel, { lease, parent }: StartOptions): Send {
  const { channel } = loaded
  const ref = refOf(channel)
  // A repeated attempt is late for another reason.
  if (channel.tries === 1 && channel.due_at) {
    const lateMs = ctx.nowMs() - channel.due_at.getTime()
    getMetrics(ctx).lateness.observe({ platform: channel.platform }, Math.max(0, lateMs) / 1000)
  }
  const send: Send = { loaded, ref, result: null, done: Promise.resolve() }
  const span = startSendSpan(ctx, loaded, parent)
  send.done = trackSend(ctx, ref, sendChannel(ctx, loaded, lease, span?.traceparent)).then((result) => {
    send.result = result
    endSendSpan(span, result)
  })
  return send
}

/** The answer arrives after the run has ended: this process stores it. */
function storeLater(ctx: Context, send: Send): void {
  const stored = send.done.then(async () => {
    const { result, loaded } = send
    if (!result || result.kind === 'unknown') return
    await settleUntilStored(ctx, finishedOf(ctx, loaded, result))
  })
  void trackSend(ctx, send.ref, stored)
}
