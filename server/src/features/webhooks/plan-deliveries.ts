import type { EventName } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { readCell } from '../../infra/cell/cell.store.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { externalFields } from '../../infra/external-id/external-columns.ts'
import { findConnection, type ConnectionRow } from '../connections/connection.store.ts'
import { expiryReason } from '../connections/present-connection.ts'
import type { DomainEvent } from '../events/outbox.store.ts'
import { loadEventPosts } from '../posts/reading/load-event-posts.ts'
import { composeDelivery } from './compose-delivery.ts'
import { insertDeliveries } from './delivery.store.ts'
import { findSubscribers, type Subscriber } from './webhook.store.ts'

type StoredEvent = Required<DomainEvent>
type SubscribedEvent = { domainEvent: StoredEvent; subscribers: Subscriber[] }
type EventData = Record<string, unknown>

/**
 * Turns events into deliveries, one for each subscribed webhook, and returns their number. Posts and connections are loaded only for events
 * that have a subscriber; for all events together there is one query for webhooks.
 */
export async function planDeliveries(ctx: Context, tx: Tx, events: readonly StoredEvent[]): Promise<number> {
  const subscribed = await findSubscribedEvents(tx, events)
  if (subscribed.length === 0) return 0
  const dataOf = await loadEventData(
    ctx,
    tx,
    subscribed.map(({ domainEvent }) => domainEvent),
  )
  const nowMs = ctx.nowMs()
  const deliveries = subscribed.flatMap(({ domainEvent, subscribers }) => {
    const { event, atMs, workspaceId, postId, connectionId } = domainEvent
    const data = dataOf(domainEvent)
    if (!data) {
      const subject = { event, workspaceId, post: postId, connection: connectionId }
      ctx.log.info(subject, 'an event was dropped because its post or connection no longer exists')
      return []
    }
    return subscribers.map((webhook) => composeDelivery({ webhook, deliveryId: newUuid(), event, atMs, nowMs, data }))
  })
  await insertDeliveries(tx, deliveries)
  return deliveries.length
}

async function findSubscribedEvents(tx: Tx, events: readonly StoredEvent[]): Promise<SubscribedEvent[]> {
  const workspaceIds = new Set(events.map(({ workspaceId }) => workspaceId))
  const names = new Set(events.map(({ event }) => event))
  const subscribers = await findSubscribers(tx, [...workspaceIds], [...names])
  if (subscribers.length === 0) return []
  const byWorkspace = Map.groupBy(subscribers, ({ workspaceId }) => workspaceId)
  return events.flatMap((domainEvent) => {
    const ofWorkspace = byWorkspace.get(domainEvent.workspaceId) ?? []
    const ofEvent = ofWorkspace.filter((subscriber) => subscriber.events.includes(domainEvent.event))
    return ofEvent.length > 0 ? [{ domainEvent, subscribers: ofEvent }] : []
  })
}

/** Loads the posts and connections of all these events. Returns a function that gives the `data` of one event's deliveries. */
async function loadEventData(
  ctx: Context,
  tx: Tx,
  events: readonly StoredEvent[],
): Promise<(event: StoredEvent) => EventData | undefined> {
  const posts = await loadEventPosts(
    tx,
    events.flatMap(({ workspaceId, postId }) => (postId ? [{ workspaceId, postId }] : [])),
  )
  const connections = new Map<string, ConnectionRow>()
  for (const { workspaceId, connectionId, postId } of events) {
    if (postId || !connectionId || connections.has(connectionId)) continue
    const row = await findConnection(tx, workspaceId, connectionId)
    if (row) connections.set(connectionId, row)
  }
  const restore = events.some(({ event }) => event === 'workspace.restored') ? await loadRestoreData(tx) : undefined
  return ({ event, workspaceId, postId, channelId, connectionId, atMs }) => {
    if (event === 'workspace.restored') return restore
    if (!postId) {
      const connection = connectionId ? connections.get(connectionId) : undefined
      return connection && connectionData(ctx, connection, event)
    }
    const post = posts({ workspaceId, postId }, { event, atMs })
    return post && channelId ? { ...post, channelId } : post
  }
}

async function loadRestoreData(tx: Tx): Promise<EventData | undefined> {
  const { lostFrom, lostUntil } = await readCell(tx)
  return lostFrom && lostUntil ? { from: lostFrom.toISOString(), until: lostUntil.toISOString() } : undefined
}

/** The status is that of the event, even if the account was connected again since. */
function connectionData(ctx: Context, row: ConnectionRow, event: EventName): EventData {
  const endsAt = row.token_expires_at
  const isExpiring = event === 'connection.expiring'
  return {
    connectionId: row.id,
    slug: row.slug,
    platform: row.platform,
    status: isExpiring ? 'expiring' : 'needs_reconnect',
    reason: isExpiring && endsAt ? expiryReason(ctx, row, endsAt) : row.status_reason,
    expiresAt: endsAt?.toISOString() ?? null,
    ...externalFields(row),
  }
}
