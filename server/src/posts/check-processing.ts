import type { Context } from '../context.ts'
import type { Errand } from '../engine/engine.ts'
import { loadChannel } from './arm.store.ts'
import { openChannel } from './armed.ts'
import { checkErrand, type Ticket } from './errands.ts'
import { channelError } from './judge-failure.ts'
import { failureOf, resultOf } from './send-channel.ts'
import { settle } from './settle.ts'

const checksMax = 120
const againAfterFailureMs = 10_000

/** The platform took the post and is still working on it: asks how far it is, until it is done or has had long enough. */
export async function checkProcessing(ctx: Context, ticket: Ticket, round: number): Promise<Errand[]> {
  const loaded = await loadChannel(ctx.db.system, ticket, ['confirming'])
  if (!loaded) return []
  const { reference, post_id: postId } = loaded.channel
  const opened = openChannel(ctx, loaded)
  const { check } = opened.connector
  if (!check || reference === null || round >= checksMax) {
    return settle(ctx, [{ ticket, postId, result: { kind: 'unconfirmed', error: channelError('processing_timed_out') } }])
  }
  try {
    const result = resultOf(await check(opened.client, reference), ctx.nowMs())
    if (result.kind === 'processing') return [checkErrand(ticket, round + 1, result.checkAfterMs)]
    return result.kind === 'published' ? settle(ctx, [{ ticket, postId, result }]) : []
  } catch (error) {
    const result = failureOf(ctx, loaded, opened, error)
    // A refusal is about the post; anything else is about the question, which can be asked again.
    if (result.kind === 'failed') return settle(ctx, [{ ticket, postId, result }])
    return [checkErrand(ticket, round + 1, againAfterFailureMs)]
  }
}
