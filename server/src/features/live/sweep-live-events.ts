import type { Context } from '../../context.ts'
import { deleteOldLiveEvents } from './live-event.store.ts'

/** A stream that was interrupted for longer than this starts again. */
const keptMs = 600_000

/** True when there may be more to delete. */
export function sweepLiveEvents(ctx: Context): Promise<boolean> {
  return deleteOldLiveEvents(ctx.db.system, keptMs)
}
