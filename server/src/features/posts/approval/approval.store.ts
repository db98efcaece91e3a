import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import type { ApprovalEventTable } from '../../../infra/db/tables.ts'
import type { PostKey } from '../post.store.ts'

export type ApprovalEventRow = Selectable<ApprovalEventTable>

export async function insertApprovalEvent(tx: Tx, row: Insertable<ApprovalEventTable>): Promise<void> {
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

/** Takes posts of all workspaces that wait and were not reminded of yet, near their time or past it. */
export async function takeOverdue(
  system: Tx,
  { now, soon, limit }: { now: Date; soon: Date; limit: number },
): Promise<{ workspaceId: string; postId: string }[]> {
  const { rows } = await sql<{ workspaceId: string; postId: string }>`
    with overdue as (
      select workspace_id, id
      from post
      where
        approval = 'pending'
        and scheduled_at <= ${soon}
        and approval_reminders < case when scheduled_at <= ${now} then 2 else 1 end
      order by workspace_id, id
      limit ${limit}
      for update skip locked
    )
    update post
    set approval_reminders = case when scheduled_at <= ${now} then 2 else 1 end
    from overdue
    where post.workspace_id = overdue.workspace_id and post.id = overdue.id
    returning post.workspace_id as "workspaceId", post.id as "postId"`.execute(system)
  return rows
}
