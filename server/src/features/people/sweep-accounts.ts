import type { Context } from '../../context.ts'
import { deleteEnded } from './person.store.ts'

/** Removes sessions, links and counts that have ended. Nothing waits for it: what has ended is refused all the same. */
export function sweepAccounts(ctx: Context): Promise<void> {
  return deleteEnded(ctx.db.system, new Date(ctx.nowMs()))
}
