import type { Context } from '../../../context.ts'
import { compactTally } from './post-tally.store.ts'

/** Keeps the tally of posts short; each worker remembers how far it has come, and starting over costs one longer look. */
export function tallyCompactor(ctx: Context): () => Promise<void> {
  let sinceId = '0'
  return async () => {
    sinceId = await compactTally(ctx.db.system, sinceId)
  }
}
