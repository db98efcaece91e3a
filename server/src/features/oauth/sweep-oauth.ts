import type { Context } from '../../context.ts'
import { deleteExpiredDevices, deleteUnusedClients } from './client.store.ts'
import { deleteExpired } from './grant.store.ts'

const unusedMs = 30 * 86_400_000
const batch = 1000

/** Deletes codes and tokens that have expired, and programs that nobody gave access in 30 days. Expired ones are refused before that too. */
export async function sweepOauth(ctx: Context): Promise<void> {
  const now = new Date(ctx.nowMs())
  await deleteExpired(ctx.db.system, now)
  await deleteExpiredDevices(ctx.db.system, now)
  await deleteUnusedClients(ctx.db.system, { before: new Date(now.getTime() - unusedMs), max: batch })
}
