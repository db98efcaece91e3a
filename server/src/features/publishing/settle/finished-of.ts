import type { Context } from '../../../context.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { refOf } from '../channel-ref.ts'
import { nextNeedsStage, type ChannelToSend, type LoadedChannel } from '../open-channel.ts'
import type { Finished, KnownResult } from './result.ts'

/** A result together with what storing it needs. */
export function finishedOf(
  ctx: Context,
  { channel, connection, post }: { channel: ChannelToSend } & Partial<LoadedChannel>,
  result: KnownResult,
): Finished {
  return {
    ref: refOf(channel),
    postId: channel.post_id,
    isolated: isIsolated(ctx, channel.platform),
    tokenRenewedAtMs: connection?.token_renewed_at.getTime() ?? null,
    // The guard and the rate leases are one transaction. A channel without its connection got no leases.
    chargedAtMs: connection && channel.state === 'submitting' ? (channel.submitted_at?.getTime() ?? null) : null,
    result,
    ...(post && nextOf(ctx, { channel, post }, result)),
  }
}

function nextOf(ctx: Context, loaded: Pick<LoadedChannel, 'channel' | 'post'>, result: KnownResult): Pick<Finished, 'next'> {
  const { channel } = loaded
  if (result.kind !== 'published' || channel.number + 1 >= channel.parts) return {}
  const isThread = channel.number < channel.thread_parts
  // In doubt after a restore, the part that follows may have been sent too. A post of a thread is asked about, a comment is left out.
  const isDoubtful = channel.state === 'doubted'
  if (isDoubtful && !isThread) return {}
  const connector = connectorOf(ctx, channel.platform)
  const needsStage = nextNeedsStage(connector, loaded, result.postId ?? '')
  return { next: { needsStage, afterMs: connector.commentAfterMs ?? 0, isThread, isDoubtful } }
}

/** Channels on servers that users choose share no transaction with other tenants: a hostile answer must not affect them. */
export function isIsolated(ctx: Context, platform: string): boolean {
  return connectorOf(ctx, platform).origin === null
}
