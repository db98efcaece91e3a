import type { Context } from '../../context.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { markNeedsReconnect } from './connection.store.ts'

/**
 * Marks a connection whose permission the platform no longer accepts; only the account's owner can give a new one. The event is recorded
 * once, even if many posts fail for this reason.
 */
export async function requestReconnect(ctx: Context, key: { workspaceId: string; id: string }, reason: string): Promise<void> {
  await ctx.db.system.transaction().execute(async (tx) => {
    if (!(await markNeedsReconnect(tx, key, reason))) return
    await recordEvents(tx, [
      { workspaceId: key.workspaceId, event: 'connection.needs_reconnect', connectionId: key.id, atMs: ctx.nowMs() },
    ])
  })
}
