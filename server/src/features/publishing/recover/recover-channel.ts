import { isWholeId, type Draft } from '@carillon/connectors'
import { warningTexts } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { findOpenEpoch } from '../../../infra/cell/cell.store.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { requestIdFrom } from '../../../infra/tracing/start-span.ts'
import { serverWaitMs } from '../../connections/calls/server-health.ts'
import { channelError, channelErrorBecause } from '../../posts/channel-error.ts'
import { isComment } from '../../posts/part.store.ts'
import { refOf, type ChannelRef } from '../channel-ref.ts'
import { recoverJobs, type Inquiry } from '../jobs.ts'
import { draftOf, openChannel, type ChannelToSend, type LoadedChannel, type OpenedChannel } from '../open-channel.ts'
import { findChannelRefs, findLatePosts, loadChannel, loadOthersOfAccount } from '../send/arm.store.ts'
import { isInFlight } from '../send/in-flight.ts'
import { countRepeat } from '../send/rate-leases.ts'
import { resultOf, sendChannel } from '../send/send-channel.ts'
import { quietAfterMs, startLease } from '../send/send-lease.ts'
import { type KnownResult, type Progress, type Result, finishedOf } from '../settle/result.ts'
import { settle } from '../settle/settle.ts'
import { ask, canAskWithNewToken, canRepeat, renewedAfterMs, renewToken, windowMarginMs, type Answer } from './ask.ts'

/** Waits between the times a platform is asked. */
const askAgainMs = [2_000, 8_000, 15_000]
/** While time has to pass: a post that shows up late is found early. */
const askEveryMs = 15_000
/** The post of which this is a duplicate was there before, so the platform's lists have it. */
const refusedMs = [2_000]
/** Where sending again is harmless, and while the platform does not answer the question, there is reason to try for longer. */
const patientMs = [3_000, 10_000, 30_000, 60_000, 120_000, 300_000]
/** For this long after the send, a server that is down is awaited; after it, the questions that it does not answer count. */
const awaitServerMs = 3_600_000

const unconfirmed = { kind: 'unconfirmed', error: channelError('outcome_unknown') } as const
const notFound = { kind: 'failed', error: channelErrorBecause('not_published', 'not_found') } as const
const unidentified = {
  kind: 'published',
  postId: null,
  postUrl: null,
  warnings: [warningTexts.post_unidentified],
} as const

/** Finds out about the channels that are still without an answer; most have been settled by the time this runs. */
export async function recoverChannels(ctx: Context, { refs, ...progress }: Inquiry): Promise<Job[]> {
  const open = (await findChannelRefs(ctx.db.system, refs)).filter(({ state }) => state === 'submitting')
  const jobs = await Promise.all(
    open.map(({ workspaceId, channelId, generation, epoch }) =>
      recoverChannel(ctx, { workspaceId, channelId, generation, epoch }, progress),
    ),
  )
  return joinInquiries(jobs.flat())
}

/** Questions that are asked again at the same time stay together: they share a run and a slot. */
function joinInquiries(jobs: readonly Job[]): Job[] {
  const isInquiry = (job: Job): job is Job & { payload: Inquiry } =>
    job.handler === 'recover' && (job.payload as Inquiry).refusal === undefined
  const groups = Map.groupBy(jobs.filter(isInquiry), ({ payload, delayMs }) => `${payload.round} ${delayMs}`)
  const joined = [...groups.values()].flatMap((group) => {
    const refs = group.flatMap(({ payload }) => payload.refs)
    return group.slice(0, 1).map((job) => ({ ...job, payload: { ...job.payload, refs } }))
  })
  return [...jobs.filter((job) => !isInquiry(job)), ...joined]
}

/**
 * The guard was set and no answer is known. The platform is asked, by what its handle allows. That the post is there may be concluded at any
 * time; that it is not, only when no process can still be sending it. Nothing is sent again on a guess.
 */
async function recoverChannel(ctx: Context, ref: ChannelRef, progress: Progress): Promise<Job[]> {
  const { round, callEnded, refusal } = progress
  const again = (nextRound: number, delayMs: number) => recoverJobs({ ...progress, refs: [ref], round: nextRound }, delayMs)
  if (isInFlight(ctx, ref)) return again(round, 5_000)
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['submitting'], withDisconnected: true })
  // Without its connection the platform cannot be asked any more.
  if (lost) return settle(ctx, [finishedOf(ctx, { channel: lost }, unconfirmed)])
  if (!loaded) return []
  const finish = (result: KnownResult) => settle(ctx, [{ ...finishedOf(ctx, loaded, result), progress }])
  // It was sent before, and the platform names the post that it made of it.
  if (refusal?.existing && isWholeId(refusal.existing.postId) && wasSentBefore(loaded.channel))
    return finish(resultOf({ state: 'published', ...refusal.existing }, ctx.nowMs()))

  const { platform, instance_url: instanceUrl } = loaded.connection
  const sentAtMs = loaded.channel.submitted_at?.getTime() ?? 0
  const downMs = serverWaitMs(ctx, { platform, instanceUrl }, { isCalling: true })
  if (downMs > 0 && ctx.nowMs() - sentAtMs < awaitServerMs) return again(round, downMs)
  const opened = openChannel(ctx, loaded)
  const firstMs = refusal ? firstSentMs(loaded.channel, sentAtMs) : sentAtMs
  const found = await ask(ctx, loaded, opened, { firstMs, lastMs: sentAtMs })
  // The question was not answered at all, so it does not count.
  if (found.state === 'refused' && canAskWithNewToken(ctx, loaded, opened, sentAtMs))
    return [renewToken(loaded), ...again(round, renewedAfterMs)]
  const twin = found.state === 'published' && found.byWords ? await findTwin(ctx, loaded, opened) : null
  // The answer of another channel, which may come yet, says more than equal words.
  if (twin && twin.answerMs > 0) return again(round, Math.min(twin.answerMs, askEveryMs))
  const isKnown = found.state === 'processing' || (found.state === 'published' && !twin)
  if (isKnown) return finish(resultOf(found, ctx.nowMs()))

  // Another process may still be sending it, and what the platform says of a container may lag behind: both need time to pass.
  const quietMs = sentAtMs + quietAfterMs(opened.connector) - ctx.nowMs()
  // A post that its workspace would hold by now is not repeated while the platform can still say whether it exists.
  const mayBeDenied = isDenied(found) || found.state === 'unanswered'
  const mayRepeat = !refusal && (await canRepeat(ctx, loaded, opened, sentAtMs)) && !(mayBeDenied && (await isLate(ctx, ref)))
  // Nothing can tell the twins apart, so the post belongs to the one that was sent first.
  if (found.state === 'published' && !mayRepeat)
    return twin?.isFirst ? again(round, askEveryMs) : finish(resultOf(found, ctx.nowMs()))
  if (quietMs > 0 && (!callEnded || (isDenied(found) && !mayRepeat))) return again(round, Math.min(quietMs, askEveryMs))

  const result = await decide(ctx, loaded, { found, mayRepeat })
  if (result.kind !== 'unknown') return finish(result)
  const waits = mayRepeat || found.state === 'unanswered' ? patientMs : refusal ? refusedMs : askAgainMs
  const waitMs = waits[round]
  if (waitMs !== undefined) return again(round + 1, waitMs)
  if (found.state === 'published') return finish(resultOf(found, ctx.nowMs()))
  // The platform says that it was published. Which of its posts it is may stay open, for example if two were sent at the same time.
  if (found.state === 'unidentified') return finish({ ...unidentified, atMs: ctx.nowMs() })
  // Not found, or nothing was sent before: the post that the platform has is not that of this channel.
  if (refusal && (found.state === 'absent' || !wasSentBefore(loaded.channel)))
    return finish({ kind: 'failed', error: refusal.error })
  // A person decides whether a first comment that is in no list is sent again.
  if (isComment(loaded.channel) && found.state === 'absent') return finish(notFound)
  const traceId = requestIdFrom(loaded.channel.traceparent)
  ctx.log.warn(
    { channel: ref.channelId, platform: loaded.channel.platform, traceId },
    'it is not known whether this was published',
  )
  return finish(unconfirmed)
}

/**
 * Other channels that say the same on the same account and have no result either. `answerMs`: for how long one of them may still get an answer of
 * its own; after that they are asked about as this one is. `isFirst`: one of them was sent before this one.
 */
type Twin = { answerMs: number; isFirst: boolean }

async function findTwin(ctx: Context, loaded: LoadedChannel, { connector, draft }: OpenedChannel): Promise<Twin | null> {
  const others = await loadOthersOfAccount(ctx.db.system, loaded)
  const twins = others.filter((other) => isSame(draftOf(connector, other), draft))
  if (twins.length === 0) return null
  const sentMs = (channel: ChannelToSend) => channel.submitted_at?.getTime() ?? 0
  const answers = twins.map(({ channel }) => {
    if (channel.state === 'confirming' || isInFlight(ctx, refOf(channel))) return askEveryMs
    return sentMs(channel) + quietAfterMs(connector) - ctx.nowMs()
  })
  const mine = loaded.channel
  const isFirst = ({ channel }: LoadedChannel) =>
    sentMs(channel) < sentMs(mine) || (sentMs(channel) === sentMs(mine) && channel.id < mine.id)
  return { answerMs: Math.max(...answers), isFirst: twins.some(isFirst) }
}

function isSame(one: Draft, other: Draft): boolean {
  return one.text === other.text && one.replyTo?.postId === other.replyTo?.postId
}

/** The platform itself says that the post or comment does not exist, and not only that it is missing from a list. */
function isDenied(found: Answer): boolean {
  return found.state === 'absent' && found.proof === 'reference'
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
    const error = channelErrorBecause('platform_unavailable', 'sent_again')
    return { kind: 'later', atMs: ctx.nowMs(), error, renew: false, waiting: null }
  }
  return { kind: 'unknown' }
}

/** Whether its workspace would hold the post by now, if it returned to the schedule. */
async function isLate(ctx: Context, ref: ChannelRef): Promise<boolean> {
  return (await findLatePosts(ctx.db.system, [ref])).length > 0
}

/** Whether an earlier attempt since the last decision of a person was sent. The platform said that it did not take it. */
function wasSentBefore({ tries, armed_at: firstAt, submitted_at: lastAt }: ChannelToSend): boolean {
  return tries > 1 && firstAt !== null && lastAt !== null && firstAt < lastAt
}

/**
 * The earliest time at which the platform can have made this post. If no earlier attempt is known, a copy by hand from before the due time
 * must not be taken for it; the record of an attempt at the due time may be lost.
 */
function firstSentMs(channel: ChannelToSend, sentAtMs: number): number {
  if (wasSentBefore(channel)) return channel.armed_at?.getTime() ?? sentAtMs
  return Math.min(channel.due_at?.getTime() ?? sentAtMs, sentAtMs) + windowMarginMs
}
