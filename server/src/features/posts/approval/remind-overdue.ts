import type { Context } from '../../../context.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { takeOverdue } from './approval.store.ts'
import { remindBeforeMs } from './record-decision.ts'

const pageSize = 500

/**
 * Records an event for posts that still wait for approval a day before their time, and again when it has passed. Each is recorded once for a
 * submission, however many workers look. True if there may be more.
 */
export async function remindOverdue(ctx: Context): Promise<boolean> {
  const atMs = ctx.nowMs()
  return ctx.db.system.transaction().execute(async (tx) => {
    const found = await takeOverdue(tx, { now: new Date(atMs), soon: new Date(atMs + remindBeforeMs), limit: pageSize })
    await recordEvents(
      tx,
      found.map(({ workspaceId, postId }) => ({ workspaceId, event: 'content.approval_overdue', postId, atMs })),
    )
    return found.length === pageSize
  })
}
