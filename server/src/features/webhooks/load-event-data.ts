import type { EventName } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { readCell } from '../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { externalFields } from '../../infra/db/external-columns.ts'
import { findConnection, type ConnectionRow } from '../connections/connection.store.ts'
import { expiryReason } from '../connections/present-connection.ts'
import type { DomainEvent } from '../events/outbox.store.ts'
import { loadEventPosts } from '../posts/reading/load-event-posts.ts'

export type StoredEvent = Required<DomainEvent>
type EventData = Record<string, unknown>

/** `system` also sees what belongs to no workspace. */
type Readers = { tx: Db | Tx; system: Db | Tx }

/** Loads the posts and connections of all these events. Returns a function that gives the `data` of one event. */
export async function loadEventData(
  ctx: Context,
  { tx, system }: Readers,
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
  const restore = events.some(({ event }) => event === 'workspace.restored') ? await loadRestoreData(system) : undefined
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

async function loadRestoreData(system: Db | Tx): Promise<EventData | undefined> {
  const { lostFrom, lostUntil } = await readCell(system)
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
    ...(event === 'connection.connected'
      ? { status: 'active', reason: null }
      : {
          status: isExpiring ? 'expiring' : 'needs_reconnect',
          reason: isExpiring && endsAt ? expiryReason(ctx, row, endsAt) : row.status_reason,
        }),
    expiresAt: endsAt?.toISOString() ?? null,
    ...externalFields(row),
  }
}
