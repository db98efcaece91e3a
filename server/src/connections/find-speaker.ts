import type { Db, Tx } from '../db/db.ts'
import { findConnection } from './connection.store.ts'
import type { Speaker } from './open-client.ts'

/** The connection to speak through, if it is still there. */
export function findSpeaker(db: Db | Tx, { workspaceId, id }: { workspaceId: string; id: string }): Promise<Speaker | undefined> {
  return findConnection(db, workspaceId, id)
}
