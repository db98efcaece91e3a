import type { Context } from '../../context.ts'
import { deleteDisconnected } from './connection.store.ts'
import { deleteOldLinks } from './links/connect-link.store.ts'

/** Recovery gives up well before this. After it, credentials of a disconnected account are deleted whatever is in flight. */
const keptMsMax = 48 * 3_600_000

/** For so long after its end, a link says what became of it. */
const linkKeptMs = 90 * 86_400_000

/** Deletes disconnected connections and their credentials as soon as no channel that is being sent or checked needs them, and old links. */
export async function sweepDisconnected(ctx: Context): Promise<void> {
  const deleted = await deleteDisconnected(ctx.db.system, keptMsMax)
  if (deleted > 0) ctx.log.info({ deleted }, 'disconnected accounts were deleted')
  await deleteOldLinks(ctx.db.system, new Date(ctx.nowMs() - linkKeptMs))
}
