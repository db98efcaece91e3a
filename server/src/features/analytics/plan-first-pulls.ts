import type { Tx } from '../../infra/db/db.ts'
import type { DomainEvent } from '../events/outbox.store.ts'
import { findPublications } from '../posts/reading/finished.store.ts'
import { planPulls } from './pull.store.ts'
import { firstAskMs } from './pull-times.ts'

/** Plans the first pull for channels that were just published. It runs when the event is relayed, so publishing does not wait for it. */
export async function planFirstPulls(tx: Tx, events: readonly Required<DomainEvent>[], nowMs: number): Promise<void> {
  const channels = events.flatMap(({ event, workspaceId, channelId }) =>
    event === 'channel.published' && channelId ? [{ workspaceId, channelId }] : [],
  )
  if (channels.length === 0) return
  const publishers = await findPublications(tx, channels)
  if (publishers.length > 0) await planPulls(tx, publishers, new Date(nowMs + firstAskMs))
}
