import type { Tx } from '../db/db.ts'
import type { Happening } from '../events/note-events.ts'
import { findPublishersOf } from '../posts/find-published.ts'
import { planPulls } from './pull.store.ts'
import { firstAskMs } from './pull-times.ts'

/** What was just published is asked about a little later. Hangs on the event, so publishing does not wait for it. */
export async function planFirstPulls(tx: Tx, happenings: readonly Required<Happening>[], nowMs: number): Promise<void> {
  const channels = happenings.flatMap(({ event, workspaceId, channelId }) =>
    event === 'channel.published' && channelId ? [{ workspaceId, channelId }] : [],
  )
  if (channels.length === 0) return
  const publishers = await findPublishersOf(tx, channels)
  if (publishers.length > 0) await planPulls(tx, publishers, new Date(nowMs + firstAskMs))
}
