import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { loadChannel } from '../send/arm.store.ts'
import { openChannel } from '../open-channel.ts'
import { checkJob, type ChannelRef } from '../jobs.ts'
import { channelError } from '../../posts/channel-error.ts'
import { failureOf, resultOf } from '../send/send-channel.ts'
import { settle } from '../settle/settle.ts'

const checksMax = 120
const againAfterFailureMs = 10_000

/** The platform took the post and is still working on it: asks how far it is, until it is done or has had long enough. */
export async function checkProcessing(ctx: Context, ref: ChannelRef, round: number): Promise<Job[]> {
  const loaded = await loadChannel(ctx.db.system, ref, ['confirming'])
  if (!loaded) return []
  const { reference, post_id: postId } = loaded.channel
  const opened = openChannel(ctx, loaded)
  const { check } = opened.connector
  if (!check || reference === null || round >= checksMax) {
    return settle(ctx, [{ ref, postId, result: { kind: 'unconfirmed', error: channelError('processing_timed_out') } }])
  }
  try {
    const result = resultOf(await check(opened.client, reference), ctx.nowMs())
    if (result.kind === 'processing') return [checkJob(ref, round + 1, result.checkAfterMs)]
    return result.kind === 'published' ? settle(ctx, [{ ref, postId, result }]) : []
  } catch (error) {
    const result = failureOf(ctx, loaded, opened, error)
    // A refusal is about the post; anything else is about the question, which can be asked again.
    if (result.kind === 'failed') return settle(ctx, [{ ref, postId, result }])
    return [checkJob(ref, round + 1, againAfterFailureMs)]
  }
}
