import type { Context } from '../../context.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { markNeedsReconnect } from './connection.store.ts'

/**
 * Marks a connection whose permission the platform no longer accepts; only the account's owner can give a new one. The event is recorded
 * once, even if many posts fail for this reason. With `tokenRenewedAtMs`, a connection that has had a new token since then is left alone.
 * True if this call marked the connection.
 */
export async function requestReconnect(
  ctx: Context,
  key: { workspaceId: string; id: string; tokenRenewedAtMs?: number },
  reason: string,
): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await markNeedsReconnect(tx, key, reason))) return false
    await recordEvents(tx, [
      { workspaceId: key.workspaceId, event: 'connection.needs_reconnect', connectionId: key.id, atMs: ctx.nowMs() },
    ])
    return true
  })
}
