import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { markNeedsReconnect, type ReconnectReason } from './connection.store.ts'

/**
 * Marks a connection whose permission the platform no longer accepts; only the account's owner can give a new one. The event is recorded
 * once, even if many posts fail for this reason. With `tokenRenewedAtMs`, a connection that has had a new token since then is left alone.
 * True if this call marked the connection; `alsoRecord` then runs in the same transaction.
 */
export async function requestReconnect(
  ctx: Context,
  key: { workspaceId: string; id: string; tokenRenewedAtMs?: number },
  why: ReconnectReason,
  alsoRecord: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await markNeedsReconnect(tx, key, why))) return false
    await recordEvents(tx, [
      { workspaceId: key.workspaceId, event: 'connection.needs_reconnect', connectionId: key.id, atMs: ctx.nowMs() },
    ])
    await alsoRecord(tx)
    return true
  })
}
