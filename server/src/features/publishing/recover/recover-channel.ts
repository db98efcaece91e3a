import { PlatformError, type Found } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { findOpenEpoch } from '../../../infra/cell/cell.store.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { requestIdFrom } from '../../../infra/tracing/traceparent.ts'
import { canRenew } from '../../connections/can-renew.ts'
import { renewJob } from '../../connections/jobs.ts'
import { serverWaitMs } from '../../connections/calls/server-health.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { recoverJobs, type Inquiry } from '../jobs.ts'
import { openChannel, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { findChannelRefs, loadChannel } from '../send/arm.store.ts'
import { findLatePosts } from '../send/hold-late.store.ts'
import { isInFlight } from '../send/in-flight.ts'
import { countRepeat } from '../send/rate-leases.ts'
import { resultOf, sendChannel } from '../send/send-channel.ts'
import { quietAfterMs, startLease } from '../send/send-lease.ts'
import { finishedOf } from '../settle/finished-of.ts'
import type { Result } from '../settle/result.ts'
import { settle } from '../settle/settle.ts'
import { isDenied } from './is-denied.ts'
import { findKnownPostIds } from './known-posts.store.ts'
import { mayAnswerLater } from './may-answer-later.ts'

/** Waits between the times a platform is asked. */
const askAgainMs = [2_000, 8_000, 15_000]
/** While time has to pass: a post that shows up late is found early. */
const askEveryMs = 15_000
/** Where sending again is harmless, and while the platform does not answer the question, there is reason to try for longer. */
const patientMs = [3_000, 10_000, 30_000, 60_000, 120_000, 300_000]
/** For this long after the send, an expired token is renewed before the platform is asked again. */
const renewWithinMs = 600_000
const renewedAfterMs = 5_000
/** For this long after the send, a server that is down is awaited; after it, the questions that it does not answer count. */
const awaitServerMs = 3_600_000
/** A platform may show a new post in its lists a little before or after the time that we have for it. */
const windowMarginMs = 60_000

const unconfirmed = { kind: 'unconfirmed', error: channelError('outcome_unknown') } as const
const unidentified = {
  kind: 'published',
  postId: null,
  postUrl: null,
  warnings: ['The platform published the post, but does not say which of its posts it is.'],
} as const

/** Finds out about the channels that are still without an answer; most have been settled by the time this runs. */
export async function recoverChannels(ctx: Context, { refs, round, callEnded }: Inquiry): Promise<Job[]> {
  const open = (await findChannelRefs(ctx.db.system, refs)).filter(({ state }) => state === 'submitting')
  const jobs = await Promise.all(
    open.map(({ workspaceId, channelId, generation, epoch }) =>
      recoverChannel(ctx, { workspaceId, channelId, generation, epoch }, { round, callEnded }),
    ),
  )
  return jobs.flat()
}

type Progress = Pick<Inquiry, 'round' | 'callEnded'>

/**
 * The guard was set and no answer is known. The platform is asked, by what its handle allows. That the post is there may be concluded at any
 * time; that it is not, only when no process can still be sending it. Nothing is sent again on a guess.
 */
async function recoverChannel(ctx: Context, ref: ChannelRef, { round, callEnded }: Progress): Promise<Job[]> {
  const again = (nextRound: number, delayMs: number) => recoverJobs({ refs: [ref], round: nextRound, callEnded }, delayMs)
  if (isInFlight(ctx, ref)) return again(round, 5_000)
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['submitting'], withDisconnected: true })
  // Without its connection the platform cannot be asked any more.
  if (lost) return settle(ctx, [finishedOf(ctx, { channel: lost }, unconfirmed)])
  if (!loaded) return []

  const { platform, instance_url: instanceUrl } = loaded.connection
  const downMs = serverWaitMs(ctx, { platform, instanceUrl }, { isCalling: true })
  if (downMs > 0 && ctx.nowMs() - (loaded.channel.submitted_at?.getTime() ?? 0) < awaitServerMs) return again(round, downMs)
  const opened = openChannel(ctx, loaded)
  const found = await ask(ctx, loaded, opened)
  // The question was not answered at all, so it does not count.
  if (found.state === 'refused' && canAskWithNewToken(ctx, loaded, opened))
    return [renewToken(loaded), ...again(round, renewedAfterMs)]
  if (found.state === 'published' || found.state === 'processing')
    return settle(ctx, [finishedOf(ctx, loaded, resultOf(found, ctx.nowMs()))])

  // Another process may still be sending it, and what the platform says of a container may lag behind: both need time to pass.
  const quietMs = (loaded.channel.submitted_at?.getTime() ?? 0) + quietAfterMs(opened.connector) - ctx.nowMs()
  // A post that its workspace would hold by now is not repeated while the platform can still say whether it exists.
  const mayBeDenied = isDenied(found) || found.state === 'unanswered'
  const mayRepeat = canRepeat(ctx, loaded, opened) && !(mayBeDenied && (await isLate(ctx, ref)))
  if (quietMs > 0 && (!callEnded || (isDenied(found) && !mayRepeat))) return again(round, Math.min(quietMs, askEveryMs))

  const result = await decide(ctx, loaded, { found, mayRepeat })
  if (result.kind !== 'unknown') return settle(ctx, [finishedOf(ctx, loaded, result)])
  const waits = mayRepeat || found.state === 'unanswered' ? patientMs : askAgainMs
  const waitMs = waits[round]
  if (waitMs !== undefined) return again(round + 1, waitMs)
  // The platform says that it was published. Which of its posts it is may stay open, for example if two were sent at the same time.
  if (found.state === 'unidentified') return settle(ctx, [finishedOf(ctx, loaded, { ...unidentified, atMs: ctx.nowMs() })])
  const traceId = requestIdFrom(loaded.channel.traceparent)
  ctx.log.warn(
    { channel: ref.channelId, platform: loaded.channel.platform, traceId },
    'it is not known whether this was published',
  )
  return settle(ctx, [finishedOf(ctx, loaded, unconfirmed)])
}

type Knowledge = { found: Answer; mayRepeat: boolean }

/** What follows from not having found the post, now that no process can still be sending it. */
async function decide(ctx: Context, loaded: LoadedChannel, { found, mayRepeat }: Knowledge): Promise<Result> {
  // The platform recognises the handle and answers with the first post instead of making a second.
  if (mayRepeat) {
    // Nothing is sent while the database is fenced, nor by a job of before a restore.
    if ((await findOpenEpoch(ctx.db.system)) !== loaded.channel.epoch) return { kind: 'unknown' }
    await countRepeat(ctx, loaded)
    const repeated = await sendChannel(ctx, loaded, startLease())
    // A refusal of the repeat says nothing of the first send, which may be published.
    if (repeated.kind === 'published' || repeated.kind === 'processing') return repeated
    return isDenied(found) ? repeated : { kind: 'unknown' }
  }
  // The platform itself says that this was not published: it returns to the schedule and is sent again under a new guard.
  if (isDenied(found)) {
    const error = { ...channelError('platform_unavailable'), message: 'The platform did not publish it; it is sent again.' }
    return { kind: 'later', atMs: ctx.nowMs(), error, renew: false, waiting: null }
  }
  return { kind: 'unknown' }
}

/** Whether its workspace would hold the post by now, if it returned to the schedule. */
async function isLate(ctx: Context, ref: ChannelRef): Promise<boolean> {
  return (await findLatePosts(ctx.db.system, [ref])).length > 0
}

/** True while the platform still recognises the handle, with room for the call itself. */
function canRepeat(ctx: Context, { channel, connection }: LoadedChannel, { connector }: OpenedChannel): boolean {
  const { handle: kind, handleLastsMs } = connector.manifest
  const sentAtMs = channel.submitted_at?.getTime() ?? 0
  if (kind !== 'key' || connection.status === 'disconnected') return false
  return handleLastsMs === null || ctx.nowMs() - sentAtMs < handleLastsMs - 120_000
}

function canAskWithNewToken(ctx: Context, { channel, connection }: LoadedChannel, opened: OpenedChannel): boolean {
  const sentAtMs = channel.submitted_at?.getTime() ?? 0
  if (connection.status !== 'active' || ctx.nowMs() - sentAtMs > renewWithinMs) return false
  return canRenew(opened.connector, opened.client.credentials)
}

function renewToken({ connection }: LoadedChannel): Job {
  return renewJob({ workspaceId: connection.workspace_id, id: connection.id }, connection.token_renewed_at.getTime())
}

/** `refused`: the platform does not accept the token. `unanswered`: the question failed for a reason that passes. */
type Answer = Found | { state: 'refused' | 'unanswered' }

/** A question that cannot be asked, or fails, tells nothing. */
async function ask(ctx: Context, { channel }: LoadedChannel, opened: OpenedChannel): Promise<Answer> {
  const { connector, client, draft, staged, handle } = opened
  if (!connector.find) return { state: 'unknown' }
  const sentAtMs = channel.submitted_at?.getTime() ?? ctx.nowMs()
  const window = { fromMs: sentAtMs - windowMarginMs, untilMs: sentAtMs + quietAfterMs(connector) }
  try {
    const knownPostIds = await findKnownPostIds(ctx.db.system, channel)
    return await connector.find(client, { draft, staged, handle, window, knownPostIds })
  } catch (error) {
    const kind = error instanceof PlatformError ? error.kind : 'bug'
    ctx.log.warn({ err: error, kind, channel: channel.id }, 'the platform could not be asked what became of a send')
    return { state: kind === 'auth' ? 'refused' : mayAnswerLater(error) ? 'unanswered' : 'unknown' }
  }
}
