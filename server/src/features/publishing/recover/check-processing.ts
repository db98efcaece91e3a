import { PlatformError } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { checkJob } from '../jobs.ts'
import { type ChannelToSend, openChannel } from '../open-channel.ts'
import { loadChannel } from '../send/arm.store.ts'
import { failureOf, resultOf } from '../send/send-channel.ts'
import { type Finished, finishedOf } from '../settle/result.ts'
import { settle } from '../settle/settle.ts'
import { canAskWithNewToken, renewedAfterMs, renewToken } from './ask.ts'

const checksMax = 120
const againAfterFailureMs = 10_000

/** The platform may say somewhat late that a person finished the post in time. */
const finishMarginMs = 2 * 3_600_000
/** A person has hours, so a question that failed is not urgent. */
const askPersonEveryMs = 300_000
/** A token may end many times meanwhile. One that is not as old as this is not renewed again. */
const tokenAgeMsMin = 1_200_000

/**
 * The platform accepted the post and is still processing it, or a person has to finish it in the app: asks for its state until it is done or has
 * taken too long.
 */
export async function checkProcessing(ctx: Context, ref: ChannelRef, round: number): Promise<Job[]> {
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['confirming'], withDisconnected: true })
  const channel = loaded?.channel ?? lost
  if (!channel) return []
  const { isOver, error: endError, afterFailureMs, afterRenewalMs, tokenFromMs } = patienceFor(ctx, channel, round)
  const finish = (result: Finished['result']) => settle(ctx, [finishedOf(ctx, loaded ?? { channel }, result)])
  const giveUp = () => finish({ kind: 'unconfirmed', error: endError })
  if (!loaded) return giveUp()
  const opened = openChannel(ctx, loaded)
  const { check } = opened.connector
  const { reference } = channel
  if (!check || reference === null) return giveUp()
  // Asked once more even if the time is over: our own outage may have taken the rest of it.
  const again = (waitMs: number) => (isOver ? giveUp() : [checkJob(ref, round + 1, waitMs)])
  try {
    const result = resultOf(await check(opened.client, reference), ctx.nowMs())
    if (result.kind === 'processing') return again(result.checkAfterMs)
    return result.kind === 'published' ? finish(result) : []
  } catch (error) {
    const kind = error instanceof PlatformError ? error.kind : null
    if (!isOver && kind === 'auth' && canAskWithNewToken(ctx, loaded, opened, tokenFromMs))
      return [renewToken(loaded), checkJob(ref, round + 1, afterRenewalMs)]
    const result = failureOf(ctx, loaded, { opened, error, started: true })
    // A refusal is about the post; anything else is about the question, which can be asked again however long ago the post was due.
    if (result.kind === 'failed' && (kind === 'rejected' || kind === 'gone')) return finish(result)
    return again(afterFailureMs)
  }
}

/** A platform that processes is asked a number of times. For a person the end is a time in the database, which no lost run and no outage moves. */
function patienceFor(ctx: Context, { finish_by: finishBy, submitted_at: sentAt }: ChannelToSend, round: number) {
  if (finishBy === null)
    return {
      isOver: round >= checksMax,
      error: channelError('processing_timed_out'),
      afterFailureMs: againAfterFailureMs,
      afterRenewalMs: renewedAfterMs,
      tokenFromMs: sentAt?.getTime() ?? 0,
    }
  return {
    isOver: ctx.nowMs() >= finishBy.getTime() + finishMarginMs,
    error: channelError('finish_unknown'),
    afterFailureMs: askPersonEveryMs,
    afterRenewalMs: askPersonEveryMs,
    tokenFromMs: ctx.nowMs() - tokenAgeMsMin,
  }
}
