import type { Context } from '../../context.ts'
import { deleteDisconnected } from './connection.store.ts'

/** Recovery gives up well before this. After it, credentials of a disconnected account are deleted whatever is in flight. */
const keptMsMax = 48 * 3_600_000

/** Deletes disconnected connections and their credentials as soon as no channel that is being sent or checked needs them. */
export async function sweepDisconnected(ctx: Context): Promise<void> {
  const deleted = await deleteDisconnected(ctx.db.system, keptMsMax)
  if (deleted > 0) ctx.log.info({ deleted }, 'disconnected accounts were deleted')
}
