import type { Context } from '../../../context.ts'
import { checkSends } from '../../../infra/cell/check-witness.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { getMetrics } from '../../../infra/metrics/get-metrics.ts'
import { type Span, startSpan } from '../../../infra/tracing/start-span.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { recordPostChanges } from '../../events/outbox.store.ts'
import { channelError } from '../../posts/channel-error.ts'
import { type ChannelRef, refOf } from '../channel-ref.ts'
import { type Batch, recoverJobs, submitJob } from '../jobs.ts'
import type { LoadedChannel } from '../open-channel.ts'
import { type Finished, type KnownResult, type Result, finishedOf } from '../settle/result.ts'
import { type Armed, armBatch } from './arm-batch.ts'
import { findLatePosts, holdPost } from './arm.store.ts'
import { type HeldSend, dropSends, findHeldSend, heldSends, holdSend, trackSend, waitForSends } from './in-flight.ts'
import { sendChannel } from './send-channel.ts'
import { leaseMs, quietAfterMs } from './send-lease.ts'
import { takeSlots } from './send-slots.ts'
import { settleUntilStored } from './settle-until-stored.ts'

/** How long a run waits for its slowest platform call before it ends without it. */
const waitMsMax = 1500
const askSoonMs = 2_000
/** A result that its run has not stored by then is stored by this process: the engine may be away, or have lost the run. */
const storeAfterMs = 10_000

/** A batch whose guards are set. The engine journals it, so it holds references only. */
type Guarded = {
  /** Guarded by this run, or by this process for a run that the engine repeats. The journal is searched for this name. */
  armed: ChannelRef[]
  /** Their connection is gone. */
  gone: Finished[]
  ask: ChannelRef[]
  early: Armed['early']
}

/** What a batch led to: results to be stored, and jobs for what is not known yet. */
export type Submitted = { finished: Finished[]; jobs: Job[] }

/** Carries out a step whose result the engine keeps. */
type Journal = <T>(step: string, work: () => Promise<T>) => Promise<T>

/**
 * Sends a batch of due channels: one transaction sets the guards, then the calls are made in parallel. Both are steps of their own, so the
 * engine knows of the guards before the first byte is sent. A call that takes long does not hold the run: this process stores its result when
 * the answer arrives, and a job finds out about it in case the process dies first. Safe to run again: a call that this process has begun is
 * awaited, and what another one guarded is asked about, never sent.
 */
export async function submitBatch(ctx: Context, batch: Batch, journal: Journal = (_step, work) => work()): Promise<Submitted> {
  const guarded = await journal('arm', () => guardBatch(ctx, batch))
  return journal('send', () => sendGuarded(ctx, batch, guarded))
}

async function guardBatch(ctx: Context, batch: Batch): Promise<Guarded> {
  const isHeld = (ref: ChannelRef) => findHeldSend(ctx, ref) !== undefined
  const held = batch.refs.filter(isHeld)
  const others = batch.refs.filter((ref) => !isHeld(ref))
  const refs = others.length > 0 ? await holdLatePosts(ctx, { ...batch, refs: others }) : []
  if (refs.length === 0) return { armed: held, gone: [], ask: [], early: [] }

  const release = await takeSlots(ctx, batch.platform, refs)
  const { send, lost, ask, early } = await armBatch(ctx, refs).catch((error: unknown) => {
    release()
    throw error
  })
  const armed = send.map(({ channel }) => refOf(channel))
  for (const { lease, ...loaded } of send)
    holdSend(ctx, { ref: refOf(loaded.channel), loaded, lease, release, done: null, result: null, isStoring: false })
  if (armed.length === 0) release()
  else setTimeout(() => endHeld(ctx, armed, ({ done }) => done === null), leaseMs).unref()
  return {
    // Another run of this batch in this process may have set the guards meanwhile.
    armed: [...held, ...armed, ...ask.filter(isHeld)],
    gone: lost.map((channel) => finishedOf(ctx, { channel }, { kind: 'failed', error: channelError('connection_removed') })),
    ask: ask.filter((ref) => !isHeld(ref)),
    early,
  }
}

async function sendGuarded(ctx: Context, batch: Batch, { armed, gone, ask, early }: Guarded): Promise<Submitted> {
  const sends = armed.flatMap((ref) => findHeldSend(ctx, ref) ?? [])
  const foreign = armed.filter((ref) => findHeldSend(ctx, ref) === undefined)
  for (const send of sends) begin(ctx, send, batch.traces?.[send.ref.channelId])
  if (foreign.length > 0) await checkSends(ctx, foreign)
  await answersOrTimeout(sends)
  for (const { release } of sends) release()

  // Read the results once: an answer that arrives after this belongs to the slow ones.
  const { answered, unknown, refused, slow } = sort(ctx, sends)
  for (const each of slow) storeWhenDone(ctx, each)
  setTimeout(() => endHeld(ctx, armed, ({ result }) => result !== null), storeAfterMs).unref()
  const quietMs = quietAfterMs(connectorOf(ctx, batch.platform))
  return {
    finished: [...answered, ...gone],
    jobs: [
      ...recoverJobs({ refs: unknown, round: 0, callEnded: true }, askSoonMs),
      ...refused.flatMap(askAboutRefusal),
      // Another process set these guards. It may be dead, slow or paused.
      ...recoverJobs({ refs: [...ask, ...foreign], round: 0, callEnded: false }, askSoonMs),
      ...recoverJobs({ refs: slow.map(({ ref }) => ref), round: 0, callEnded: false }, quietMs),
      ...early.map(({ ref, waitMs }) => submitJob({ ...batch, refs: [ref] }, waitMs)),
    ],
  }
}

type Sorted = { answered: Finished[]; unknown: ChannelRef[]; refused: HeldSend[]; slow: HeldSend[] }

function sort(ctx: Context, sends: readonly HeldSend[]): Sorted {
  const sorted: Sorted = { answered: [], unknown: [], refused: [], slow: [] }
  for (const send of sends) {
    const { result, ref, loaded } = send
    if (!result) sorted.slow.push(send)
    else if (result.kind === 'unknown' && result.refusal) sorted.refused.push(send)
    else if (result.kind === 'unknown') sorted.unknown.push(ref)
    else sorted.answered.push(finishedOf(ctx, loaded, result))
  }
  return sorted
}

/** The platform already has the same post: it is asked whether that is the post of an earlier attempt. */
function askAboutRefusal({ ref, result }: HeldSend): Job[] {
  if (result?.kind !== 'unknown' || !result.refusal) return []
  return recoverJobs({ refs: [ref], round: 0, callEnded: true, refusal: result.refusal }, askSoonMs)
}

/** Waits until all have answered, or as long as a run may wait. */
async function answersOrTimeout(sends: readonly HeldSend[]): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, waitMsMax)
  await Promise.race([Promise.all(sends.map(({ done }) => done ?? Promise.resolve())), timeout.promise])
  clearTimeout(timer)
}

/** Begins the call, once. */
function begin(ctx: Context, send: HeldSend, parent: string | undefined): void {
  if (send.done) return
  const { ref, loaded, lease } = send
  const { channel } = loaded
  // A repeated attempt is late for another reason.
  if (channel.tries === 1 && channel.due_at) {
    const lateMs = ctx.nowMs() - channel.due_at.getTime()
    getMetrics(ctx).lateness.observe({ platform: channel.platform }, Math.max(0, lateMs) / 1000)
  }
  const span = startSendSpan(ctx, loaded, parent)
  send.done = trackSend(ctx, ref, sendChannel(ctx, loaded, lease, span?.traceparent)).then((result) => {
    send.result = result
    endSendSpan(span, result)
  })
}

/** The answer arrives after the run has ended, or the run did not store it: this process does. */
function storeWhenDone(ctx: Context, send: HeldSend): void {
  if (send.isStoring) return
  send.isStoring = true
  const stored = Promise.resolve(send.done).then(async () => {
    const { result, loaded, ref } = send
    for (const job of askAboutRefusal(send)) await ctx.engine.send(job, `${ref.channelId}:${ref.generation}:refused`)
    if (result && result.kind !== 'unknown') await settleUntilStored(ctx, finishedOf(ctx, loaded, result))
    dropSends(ctx, [ref])
  })
  void trackSend(ctx, send.ref, stored)
}

/** No run goes on with these: a call that has not begun never will, and a result is stored by this process. */
function endHeld(ctx: Context, refs: readonly ChannelRef[], isLeft: (send: HeldSend) => boolean): void {
  for (const ref of refs) {
    const send = findHeldSend(ctx, ref)
    if (!send || !isLeft(send)) continue
    if (!send.done) {
      send.done = Promise.resolve()
      send.result = notSent(ctx)
      send.release()
    }
    storeWhenDone(ctx, send)
  }
}

/** The guard is set and the engine lost the run before the call. */
function notSent(ctx: Context): KnownResult {
  const error = { ...channelError('platform_unavailable'), message: 'It was prepared but not sent in time; it is sent again.' }
  return { kind: 'later', atMs: ctx.nowMs(), error, renew: false, waiting: null }
}

/** For a process that stops, when no run is left. Stores what it holds. False when that took longer than `timeoutMs`. */
export function finishSends(ctx: Context, timeoutMs: number): Promise<boolean> {
  endHeld(
    ctx,
    heldSends(ctx).map(({ ref }) => ref),
    () => true,
  )
  return waitForSends(ctx, timeoutMs)
}

/** Records a send in the trace of its request; null if that is not traced. */
function startSendSpan(ctx: Context, { channel }: LoadedChannel, parent: string | undefined): Span | null {
  if (parent === undefined) return null
  const attributes = { 'carillon.platform': channel.platform, 'carillon.channel': channel.id, 'carillon.attempt': channel.tries }
  return startSpan(ctx, 'publish', { kind: 'consumer', parent, attributes })
}

function endSendSpan(span: Span | null, result: Result): void {
  const code = 'error' in result ? { 'error.type': result.error.code } : {}
  const hasFailed = result.kind !== 'published' && result.kind !== 'processing'
  span?.end({ attributes: { 'carillon.outcome': result.kind, ...code }, hasFailed })
}

/** How late a batch must be before the workspaces' settings are read at all. */
const checkFromMs = 60_000

/**
 * Returns posts to draft, with the reason, that would be published later than their workspace accepts, and returns the channels that remain
 * to be sent. Only posts of which nothing was ever sent are held: once one channel may be published, the others are sent too.
 */
async function holdLatePosts(ctx: Context, { refs, dueAtMs }: Batch): Promise<readonly ChannelRef[]> {
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
