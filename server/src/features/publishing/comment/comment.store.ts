import { sql } from 'kysely'
import { openEpoch } from '../../../infra/cell/cell.store.ts'
import type { Db } from '../../../infra/db/db.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import type { ChannelRef } from '../channel-ref.ts'

/** The comment's own guard: true for the one run that may send it. */
export async function armComment(system: Db, { workspaceId, channelId }: ChannelRef): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', channelId)
    .where('comment_state', '=', 'waiting')
    .where(sql<boolean>`${openEpoch} is not null`)
    .set({
      comment_state: 'submitting',
      comment_submitted_at: sql<Date>`now()`,
      comment_at: sql<Date>`now()`,
      comment_tries: sql<number>`comment_tries + 1`,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How long ago the comment's guard was set, while it is set; by the database's clock. */
export async function commentAgeMs(system: Db, { workspaceId, channelId }: ChannelRef): Promise<number | null> {
  const { rows } = await sql<{ age: number }>`
    select (extract(epoch from now() - coalesce(comment_submitted_at, published_at)) * 1000)::float8 as age
    from channel
    where workspace_id = ${workspaceId} and id = ${channelId} and comment_state = 'submitting'`.execute(system)
  return rows[0]?.age ?? null
}

type CommentEnd = { state: 'done' | 'failed'; warning: string | null }

/** Ends the comment. Open pages are told of a failure: its post was settled before, so no other event follows. */
export async function finishComment(
  system: Db,
  { workspaceId, channelId }: ChannelRef,
  { state, warning }: CommentEnd,
): Promise<void> {
  await system.transaction().execute(async (tx) => {
    const { rows } = await sql<{ post_id: string; now: Date }>`
      update channel
      set comment_state = ${state}, comment_at = null, warnings = warnings || ${JSON.stringify(warning ? [warning] : [])}::jsonb
      where workspace_id = ${workspaceId} and id = ${channelId} and comment_state in ('waiting', 'submitting')
      returning post_id, now()`.execute(tx)
    const failed = state === 'failed' ? rows : []
    await recordEvents(
      tx,
      failed.map(({ post_id: subjectId, now }) => ({
        workspaceId,
        event: 'post.changed' as const,
        subjectId,
        personId: null,
        atMs: now.getTime(),
      })),
    )
  })
}

/** Certainly not posted: it waits for the next attempt. */
export async function postponeComment(system: Db, { workspaceId, channelId }: ChannelRef, at: Date): Promise<void> {
  await sql`
    update channel
    set comment_state = 'waiting', comment_at = ${at}
    where workspace_id = ${workspaceId} and id = ${channelId} and comment_state = 'submitting'`.execute(system)
}
