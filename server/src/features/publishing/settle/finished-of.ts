import type { Context } from '../../../context.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { refOf } from '../channel-ref.ts'
import type { ChannelToSend, LoadedChannel } from '../open-channel.ts'
import type { Finished, KnownResult } from './result.ts'

/** A result together with what storing it needs. */
export function finishedOf(
  ctx: Context,
  { channel, connection }: { channel: ChannelToSend; connection?: LoadedChannel['connection'] },
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
  }
}

/** Channels on servers that users choose share no transaction with other tenants: a hostile answer must not affect them. */
export function isIsolated(ctx: Context, platform: string): boolean {
  return connectorOf(ctx, platform).origin === null
}
