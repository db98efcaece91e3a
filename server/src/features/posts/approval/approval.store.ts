import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import type { ApprovalEventTable } from '../../../infra/db/tables.ts'
import type { PostKey } from '../post.store.ts'

export type ApprovalEventRow = Selectable<ApprovalEventTable>

export async function insertApprovalEvent(tx: Tx, row: Omit<Insertable<ApprovalEventTable>, 'id'>): Promise<void> {
  await tx.insertInto('approval_event').values(row).execute()
}

const eventsMax = 100

/** The newest decisions about a post, newest first. */
export async function listApprovalEvents(tx: Tx, { workspaceId, id }: PostKey, limit = eventsMax): Promise<ApprovalEventRow[]> {
  return tx
    .selectFrom('approval_event')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
