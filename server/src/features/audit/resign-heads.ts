import type { Context } from '../../context.ts'
import type { Resealed } from '../../infra/sealing/reseal-stored.ts'
import { countMarksOfOtherKeys } from './audit-chain.store.ts'
import { linkEntries } from './link-entries.ts'

/** Signs the ends and starts of all audit chains with the first key. Workers do it too, a few at a time. */
export async function resignHeads(ctx: Context): Promise<Resealed> {
  const { sealing } = ctx.config.secretKeys
  const before = await countMarksOfOtherKeys(ctx.db.system, sealing)
  let left = before
  for (;;) {
    await linkEntries(ctx)
    const now = await countMarksOfOtherKeys(ctx.db.system, sealing)
    // What is left was changed by hand, or signed with a key that is not configured: "carillon audit verify" reports it.
    if (now === 0 || now >= left) return { changed: before - now, unreadable: now }
    left = now
  }
}
