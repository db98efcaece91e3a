import { PlatformError } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { checkJob } from '../jobs.ts'
import { openChannel } from '../open-channel.ts'
import { loadChannel } from '../send/arm.store.ts'
import { failureOf, resultOf } from '../send/send-channel.ts'
import { type Finished, finishedOf } from '../settle/result.ts'
import { settle } from '../settle/settle.ts'
import { canAskWithNewToken, renewedAfterMs, renewToken } from './ask.ts'

const checksMax = 120
const againAfterFailureMs = 10_000

/** The platform accepted the post and is still processing it: asks for its state until it is done or has taken too long. */
export async function checkProcessing(ctx: Context, ref: ChannelRef, round: number): Promise<Job[]> {
  const { loaded, lost } = await loadChannel(ctx.db.system, ref, { states: ['confirming'], withDisconnected: true })
  const channel = loaded?.channel ?? lost
  if (!channel) return []
  const finish = (result: Finished['result']) => settle(ctx, [finishedOf(ctx, loaded ?? { channel }, result)])
  const giveUp = () => finish({ kind: 'unconfirmed', error: channelError('processing_timed_out') })
  if (!loaded) return giveUp()
  const opened = openChannel(ctx, loaded)
  const { check } = opened.connector
  const { reference } = channel
  if (!check || reference === null || round >= checksMax) return giveUp()
  try {
    const result = resultOf(await check(opened.client, reference), ctx.nowMs())
    if (result.kind === 'processing') return [checkJob(ref, round + 1, result.checkAfterMs)]
    return result.kind === 'published' ? finish(result) : []
  } catch (error) {
    const isRefused = error instanceof PlatformError && error.kind === 'auth'
    if (isRefused && canAskWithNewToken(ctx, loaded, opened, channel.submitted_at?.getTime() ?? 0))
      return [renewToken(loaded), checkJob(ref, round + 1, renewedAfterMs)]
    const result = failureOf(ctx, loaded, { opened, error, started: true })
    // A refusal is about the post; anything else is about the question, which can be asked again.
    if (result.kind === 'failed') return finish(result)
    return [checkJob(ref, round + 1, againAfterFailureMs)]
  }
}
