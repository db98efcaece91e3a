import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { findAccountSubscribers } from './account/account-webhook.store.ts'
import { composeDelivery } from './present-delivery.ts'
import { insertDeliveries } from './delivery.store.ts'
import { loadEventData, type StoredEvent } from './load-event-data.ts'
import { findSubscribers, type Subscriber } from './webhook.store.ts'

type SubscribedEvent = { domainEvent: StoredEvent; subscribers: Subscriber[] }

/**
 * Turns events into deliveries, one for each subscribed webhook, and returns their number. Posts and connections are loaded only for events
 * that have a subscriber; for all events together there is one query for the webhooks of workspaces and one for those of accounts.
 */
export async function planDeliveries(ctx: Context, tx: Tx, events: readonly StoredEvent[]): Promise<number> {
  const subscribed = await findSubscribedEvents(tx, events)
  if (subscribed.length === 0) return 0
  const dataOf = await loadEventData(
    ctx,
    { tx, system: tx },
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
  // Workspaces are locked before webhooks, as when a workspace is deleted.
  const ofAccounts = await findAccountSubscribers(tx, [...workspaceIds], [...names])
  const subscribers = [...ofAccounts, ...(await findSubscribers(tx, [...workspaceIds], [...names]))]
  if (subscribers.length === 0) return []
  const byWorkspace = Map.groupBy(subscribers, ({ workspaceId }) => workspaceId)
  return events.flatMap((domainEvent) => {
    const ofWorkspace = byWorkspace.get(domainEvent.workspaceId) ?? []
    const ofEvent = ofWorkspace.filter((subscriber) => subscriber.events.includes(domainEvent.event))
    return ofEvent.length > 0 ? [{ domainEvent, subscribers: ofEvent }] : []
  })
}
