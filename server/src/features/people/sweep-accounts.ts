import type { Context } from '../../context.ts'
import { deleteExpired } from './person.store.ts'

/** Deletes expired sessions, links and attempt counts. They are refused after their expiry even if this has not run yet. */
export function sweepAccounts(ctx: Context): Promise<void> {
  return deleteExpired(ctx.db.system, new Date(ctx.nowMs()))
}
