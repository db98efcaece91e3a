import { describeConnection } from '../connections/describe-connection.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import type { DomainEvent } from '../events/outbox.store.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { loadEventPosts } from '../posts/reading/load-event-posts.ts'
import { composeDelivery } from './compose-delivery.ts'
import { insertDeliveries } from './delivery.store.ts'
import { findSubscribers, type Subscriber } from './webhook.store.ts'

type Heard = { happening: Required<DomainEvent>; subscribers: Subscriber[] }

/**
 * Turns happenings into deliveries, one for each webhook that listens. Gives how many. What nobody listens to costs its part of one look at
 * the webhooks, and no post is read for it.
 */
export async function planDeliveries(ctx: Context, tx: Tx, events: readonly Required<DomainEvent>[]): Promise<number> {
  const heard = await findHeard(tx, events)
  if (heard.length === 0) return 0
  const describe = await describer(
    tx,
    heard.map(({ happening }) => happening),
  )
  const nowMs = ctx.nowMs()
  const deliveries = heard.flatMap(({ happening, subscribers }) => {
    const { event, atMs, workspaceId } = happening
    const data = describe(happening)
    if (!data) {
      ctx.log.info(
        { event, workspaceId, post: happening.postId, connection: happening.connectionId },
        'an event was dropped: what it is about is gone',
      )
      return []
    }
    return subscribers.map((webhook) => composeDelivery({ webhook, deliveryId: newUuid(), event, atMs, nowMs, data }))
  })
  await insertDeliveries(tx, deliveries)
  return deliveries.length
}

async function findHeard(tx: Tx, events: readonly Required<DomainEvent>[]): Promise<Heard[]> {
  const workspaceIds = new Set(events.map(({ workspaceId }) => workspaceId))
  const names = new Set(events.map(({ event }) => event))
  const subscribers = await findSubscribers(tx, [...workspaceIds], [...names])
  if (subscribers.length === 0) return []
  const byWorkspace = Map.groupBy(subscribers, ({ workspaceId }) => workspaceId)
  return events.flatMap((happening) => {
    const listening = (byWorkspace.get(happening.workspaceId) ?? []).filter(({ events: wanted }) =>
      wanted.includes(happening.event),
    )
    return listening.length > 0 ? [{ happening, subscribers: listening }] : []
  })
}

/** Loads what the happenings are about, all at once, and gives a way to tell each. */
async function describer(tx: Tx, events: readonly Required<DomainEvent>[]) {
  const posts = await loadEventPosts(
    tx,
    events.flatMap(({ workspaceId, postId }) => (postId ? [{ workspaceId, postId }] : [])),
  )
  const connections = new Map<string, Record<string, unknown>>()
  for (const { workspaceId, connectionId, postId } of events) {
    if (postId || !connectionId || connections.has(connectionId)) continue
    const about = await describeConnection(tx, workspaceId, connectionId)
    if (about) connections.set(connectionId, about)
  }
  return ({ workspaceId, postId, channelId, connectionId }: Required<DomainEvent>): Record<string, unknown> | undefined => {
    if (!postId) return connectionId ? connections.get(connectionId) : undefined
    const post = posts(workspaceId, postId)
    return post && channelId ? { ...post, channelId } : post
  }
}
