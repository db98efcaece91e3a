import type { Context } from '../../context.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { lockEndingTokens, markExpiryAnnounced, markRenewable } from './connection.store.ts'
import { expiringMs, isRenewable } from './present-connection.ts'

const perPass = 200

/**
 * Records `connection.expiring` once for each token that ends soon and that only the account's owner can renew. True if there may be more.
 */
export async function announceExpiring(ctx: Context): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    const rows = await lockEndingTokens(tx, { withinMs: expiringMs, limit: perPass })
    for (const row of rows) {
      const key = { workspaceId: row.workspace_id, id: row.id }
      if (isRenewable(ctx, row)) await markRenewable(tx, key)
      else {
        await markExpiryAnnounced(tx, key)
        const { workspaceId, id: connectionId } = key
        await recordEvents(tx, [{ workspaceId, event: 'connection.expiring', connectionId, atMs: ctx.nowMs() }])
      }
    }
    return rows.length === perPass
  })
}
