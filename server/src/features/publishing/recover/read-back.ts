import type { Found } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { openChannel } from '../open-channel.ts'
import { loadChannel } from '../send/arm.store.ts'
import { quietAfterMs } from '../send/send-lease.ts'
import { windowMarginMs } from './ask.ts'

/**
 * Asks the platform for the post of a channel that is published, in the same way as after a lost response. Null if the platform has no way to
 * ask. Unlike `ask`, it does not leave out the posts that channels have: this one has its own.
 */
export async function readBack(ctx: Context, ref: ChannelRef): Promise<Found | null> {
  const { loaded } = await loadChannel(ctx.db.system, ref, { states: ['published'] })
  if (!loaded) return { state: 'unknown' }
  const { connector, client, draft, staged, handle } = openChannel(ctx, loaded)
  if (!connector.find) return null
  const sentAtMs = loaded.channel.submitted_at?.getTime() ?? ctx.nowMs()
  const window = { fromMs: sentAtMs - windowMarginMs, untilMs: sentAtMs + quietAfterMs(connector) }
  return connector.find(client, { draft, staged, handle, window, knownPostIds: new Set() })
}
