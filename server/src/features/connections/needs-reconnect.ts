import type { Context } from '../../context.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { markNeedsReconnect } from './connection.store.ts'

/** The platform will not have our permission any more: only its owner can give a new one. Told once, however many posts find out. */
export async function needsReconnect(ctx: Context, key: { workspaceId: string; id: string }, reason: string): Promise<void> {
  await ctx.db.system.transaction().execute(async (tx) => {
    if (!(await markNeedsReconnect(tx, key, reason))) return
    await recordEvents(tx, [
      { workspaceId: key.workspaceId, event: 'connection.needs_reconnect', connectionId: key.id, atMs: ctx.nowMs() },
    ])
  })
}
