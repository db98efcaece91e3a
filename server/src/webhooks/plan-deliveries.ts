import { describeConnection } from '../connections/describe-connection.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/db.ts'
import type { Happening } from '../events/note-events.ts'
import { newUuid } from '../ids.ts'
import { loadEventPosts } from '../posts/load-event-posts.ts'
import { composeDelivery } from './compose-delivery.ts'
import { insertDeliveries } from './delivery.store.ts'
import { findSubscribers, type Subscriber } from './webhook.store.ts'

type Heard = { happening: Required<Happening>; subscribers: Subscriber[] }

/**
 * Turns happenings into deliveries, one for each webhook that listens. Gives how many. What nobody listens to costs its part of one look at
 * the webhooks, and no post is read for it.
 */
export async function planDeliveries(ctx: Context, tx: Tx, happenings: readonly Required<Happening>[]): Promise<number> {
  const heard = await findHeard(tx, happenings)
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

async function findHeard(tx: Tx, happenings: readonly Required<Happening>[]): Promise<Heard[]> {
  const workspaceIds = new Set(happenings.map(({ workspaceId }) => workspaceId))
  const events = new Set(happenings.map(({ event }) => event))
  const subscribers = await findSubscribers(tx, [...workspaceIds], [...events])
  if (subscribers.length === 0) return []
  const byWorkspace = Map.groupBy(subscribers, ({ workspaceId }) => workspaceId)
  return happenings.flatMap((happening) => {
    const listening = (byWorkspace.get(happening.workspaceId) ?? []).filter(({ events: wanted }) =>
      wanted.includes(happening.event),
    )
    return listening.length > 0 ? [{ happening, subscribers: listening }] : []
  })
}

/** Loads what the happenings are about, all at once, and gives a way to tell each. */
async function describer(tx: Tx, happenings: readonly Required<Happening>[]) {
  const posts = await loadEventPosts(
    tx,
    happenings.flatMap(({ workspaceId, postId }) => (postId ? [{ workspaceId, postId }] : [])),
  )
  const connections = new Map<string, Record<string, unknown>>()
  for (const { workspaceId, connectionId, postId } of happenings) {
    if (postId || !connectionId || connections.has(connectionId)) continue
    const about = await describeConnection(tx, workspaceId, connectionId)
    if (about) connections.set(connectionId, about)
  }
  return ({ workspaceId, postId, channelId, connectionId }: Required<Happening>): Record<string, unknown> | undefined => {
    if (!postId) return connectionId ? connections.get(connectionId) : undefined
    const post = posts(workspaceId, postId)
    return post && channelId ? { ...post, channelId } : post
  }
}
