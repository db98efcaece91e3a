import type { Context } from '../../../context.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import type { RenewalResult } from '../../connections/jobs.ts'
import { channelErrorBecause } from '../../posts/channel-error.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { loadChannel } from '../send/arm.store.ts'
import { finishedOf } from '../settle/result.ts'
import { awaitReconnect } from '../settle/judge-failure.ts'
import { settle } from '../settle/settle.ts'

/** The token could not be renewed: the channel waits until it can be, or until the account is connected again. */
export async function waitForToken(
  ctx: Context,
  ref: ChannelRef,
  renewal: Exclude<RenewalResult, { outcome: 'renewed' | 'pending' }>,
): Promise<Job[]> {
  const { loaded } = await loadChannel(ctx.db.system, ref, { states: ['dispatched'] })
  if (!loaded) return []
  const nowMs = ctx.nowMs()
  const dueAtMs = loaded.channel.due_at?.getTime() ?? nowMs
  if (renewal.outcome === 'refused') return settle(ctx, [finishedOf(ctx, loaded, awaitReconnect({ dueAtMs, nowMs }, null))])
  const error = channelErrorBecause('platform_unavailable', 'renewal_failed')
  const { renew_token: renew } = loaded.channel
  const atMs = nowMs + renewal.retryAfterMs
  return settle(ctx, [finishedOf(ctx, loaded, { kind: 'later', atMs, error, renew, waiting: 'platform_unavailable' })])
}
