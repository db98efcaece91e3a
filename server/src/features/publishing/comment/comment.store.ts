import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'
import type { ChannelRef } from '../jobs.ts'

/** The comment's own guard: true for the one run that may send it. */
export async function armComment(system: Db, { workspaceId, channelId }: ChannelRef): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', channelId)
    .where('comment_state', '=', 'waiting')
    .set({ comment_state: 'submitting' })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function finishComment(system: Db, { workspaceId, channelId }: ChannelRef, warning: string | null): Promise<void> {
  await sql`
    update channel set comment_state = 'done', warnings = warnings || ${JSON.stringify(warning ? [warning] : [])}::jsonb
    where workspace_id = ${workspaceId} and id = ${channelId} and comment_state = 'submitting'`.execute(system)
}
