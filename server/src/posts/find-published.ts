import type { Db, Tx } from '../db/db.ts'
import { findPublications, listPublished, listPublishers, type Publication, type PublishedChannel } from './finished.store.ts'

export type { Publication, PublishedChannel } from './finished.store.ts'

/** The newest posts of a connection that its platform can be asked about. */
export function findPublished(
  tx: Tx,
  connection: { workspaceId: string; id: string },
  bounds: { since: Date; limit: number },
): Promise<PublishedChannel[]> {
  return listPublished(tx, connection, bounds)
}

/** The workspace's connections that have published something. */
export function findPublishers(tx: Tx, workspaceId: string): Promise<{ connectionId: string; platform: string }[]> {
  return listPublishers(tx, workspaceId)
}

/** Which connections published these channels, in any workspace. */
export function findPublishersOf(
  tx: Db | Tx,
  channels: readonly { workspaceId: string; channelId: string }[],
): Promise<Publication[]> {
  return findPublications(tx, channels)
}
