import type { Db, Tx } from '../../infra/db/db.ts'
import { findConnection } from './connection.store.ts'

/** What a webhook is told about a connection. */
export async function describeConnection(tx: Db | Tx, workspaceId: string, id: string) {
  const row = await findConnection(tx, workspaceId, id)
  return row && { connectionId: row.id, slug: row.slug, platform: row.platform, status: row.status, reason: row.status_reason }
}
