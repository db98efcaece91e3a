import type { Capabilities } from '@carillon/connectors'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ConnectionKey } from '../jobs.ts'
import type { StoredCapabilities } from './known-capabilities.ts'

/** True if nobody asked the platform since `before`; then this caller does. */
export async function claimQuestion(tx: Tx, { workspaceId, id }: ConnectionKey, { at, before }: { at: Date; before: Date }) {
  const { numUpdatedRows } = await tx
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(capabilities_asked_at <= ${before}, true)`)
    .set({ capabilities_asked_at: at })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores an answer, unless the connection publishes to another account than the one that was asked about. */
export async function saveCapabilities(
  tx: Tx,
  { workspaceId, id, accountId }: ConnectionKey & { accountId: string },
  { capabilities, at }: { capabilities: Capabilities; at: Date },
): Promise<void> {
  await tx
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .set({ capabilities: JSON.stringify(capabilities), capabilities_at: at })
    .execute()
}

/** Also of a disconnected connection, whose channels in flight are still sent. */
export async function findCapabilities(db: Db, { workspaceId, id }: ConnectionKey): Promise<StoredCapabilities | undefined> {
  return db
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(['capabilities', 'capabilities_at'])
    .executeTakeFirst()
}
