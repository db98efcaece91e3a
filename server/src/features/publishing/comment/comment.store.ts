import { sql } from 'kysely'
import { openEpoch } from '../../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { lostAnswerWarning } from '../../posts/comment-warnings.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { claimCommentId } from '../platform-post.store.ts'

/** The comment's own guard: true for the one run that may send it. */
export async function armComment(tx: Tx, { workspaceId, channelId }: ChannelRef): Promise<boolean> {
  const { numUpdatedRows } = await tx
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

/** A comment whose guard is set. Times are by the database's clock. */
export type CommentGuard = { tries: number; firstMs: number; ageMs: number; lastMs: number; idleMs: number }

/** The guard, while it is set: when the first call was made, and when the last was made or is awaited. */
export async function findCommentGuard(system: Db, { workspaceId, channelId }: ChannelRef): Promise<CommentGuard | null> {
  const { rows } = await sql<{ tries: number; first: Date; last: Date; now: Date }>`
    select comment_tries as tries, coalesce(comment_submitted_at, published_at) as first,
      coalesce(comment_at, comment_submitted_at, published_at) as last, now()
    from channel
    where workspace_id = ${workspaceId} and id = ${channelId} and comment_state = 'submitting'`.execute(system)
  const [row] = rows
  if (!row) return null
  const [firstMs, lastMs, nowMs] = [row.first.getTime(), row.last.getTime(), row.now.getTime()]
  return { tries: row.tries, firstMs, ageMs: nowMs - firstMs, lastMs, idleMs: nowMs - lastMs }
}

/** One more call under the same guard: true for one of several runs. When the first call was made stays known. */
export async function rearmComment(tx: Tx, { workspaceId, channelId }: ChannelRef, { tries }: CommentGuard): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', channelId)
    .where('comment_state', '=', 'submitting')
    .where('comment_tries', '=', tries)
    .where(sql<boolean>`${openEpoch} is not null`)
    .set({ comment_at: sql<Date>`now()`, comment_tries: tries + 1 })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type CommentEnd = {
  state: 'done' | 'failed'
  warning: string | null
  /** The platform's id of the comment, if it is known. If it belongs to another channel, it is not known whether the comment was posted. */
  commentId?: string
}

/** Ends the comment. Open pages are told: its post was settled before, so no other event follows. */
export async function finishComment(system: Db, ref: ChannelRef, { commentId, ...end }: CommentEnd): Promise<void> {
  const { workspaceId, channelId } = ref
  await system.transaction().execute(async (tx) => {
    const isOwn = commentId === undefined || (await claimCommentId(tx, { ref, platformPostId: commentId }))
    const { state, warning } = isOwn ? end : ({ state: 'failed', warning: lostAnswerWarning } as const)
    const { rows } = await sql<{ post_id: string; now: Date }>`
      update channel
      set comment_state = ${state}, comment_at = null, warnings = warnings || ${JSON.stringify(warning ? [warning] : [])}::jsonb
      where workspace_id = ${workspaceId} and id = ${channelId} and comment_state in ('waiting', 'submitting')
      returning post_id, now()`.execute(tx)
    await recordEvents(
      tx,
      rows.map(({ post_id: subjectId, now }) => ({
        workspaceId,
        event: 'post.changed' as const,
        subjectId,
        personId: null,
        atMs: now.getTime(),
      })),
    )
  })
}

type CommentWait = {
  /** `waiting`: it is certainly not posted. */
  state: 'waiting' | 'submitting'
  waitMs: number
  /** The try is taken back, because no call was made. */
  isUntried?: boolean
}

/** The next step is taken after a wait. */
export async function postponeComment(
  db: Db | Tx,
  { workspaceId, channelId }: ChannelRef,
  { state, waitMs, isUntried = false }: CommentWait,
): Promise<void> {
  await sql`
    update channel
    set comment_state = ${state}, comment_at = now() + make_interval(secs => ${waitMs / 1000}),
      comment_tries = comment_tries - ${isUntried ? 1 : 0}
    where workspace_id = ${workspaceId} and id = ${channelId} and comment_state = 'submitting'`.execute(db)
}
