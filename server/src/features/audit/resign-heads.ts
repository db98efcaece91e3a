import type { Context } from '../../context.ts'
import type { Resealed } from '../../infra/sealing/reseal-stored.ts'
import { countHeadsOfOtherKeys } from './audit-chain.store.ts'
import { linkEntries } from './link-entries.ts'

/** Signs the ends of all audit chains with the first key. Workers do it too, a few at a time. */
export async function resignHeads(ctx: Context): Promise<Resealed> {
  const { sealing } = ctx.config.secretKeys
  const before = await countHeadsOfOtherKeys(ctx.db.system, sealing)
  let left = before
  for (;;) {
    await linkEntries(ctx)
    const now = await countHeadsOfOtherKeys(ctx.db.system, sealing)
    // What is left was changed by hand, or signed with a key that is not configured: "carillon audit verify" reports it.
    if (now === 0 || now >= left) return { changed: before - now, unreadable: now }
    left = now
  }
}
