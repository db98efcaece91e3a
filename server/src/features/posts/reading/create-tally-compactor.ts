import type { Context } from '../../../context.ts'
import { compactTally } from './post-tally.store.ts'

/** Keeps the tally table small. The position is only held in memory: after a restart the first run reads the whole table once. */
export function createTallyCompactor(ctx: Context): () => Promise<void> {
  let sinceId = '0'
  return async () => {
    sinceId = await compactTally(ctx.db.system, sinceId)
  }
}
