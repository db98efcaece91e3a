import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import {
  claimPending,
  deletePending,
  findMarksOfOtherKeys,
  insertLinks,
  loadHeads,
  lockChains,
  saveMarks,
  type NewLink,
} from './audit-chain.store.ts'
import { firstHash, linkHash, type MarkKind } from './chain-hash.ts'
import { isAuthentic, signMark } from './sign-mark.ts'

const linksMax = 2000
const marksMax = 500

/** Adds new audit entries to the hash chains of their workspaces and people. Returns whether there may be more. */
export async function linkEntries(ctx: Context): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await lockChains(tx))) return false
    const pending = await claimPending(tx, linksMax)
    const heads = await loadHeads(tx, [...new Set(pending.map(({ chain }) => chain))])
    const links: NewLink[] = []
    for (const { chain, entryId, isLinked, content } of pending) {
      // Without content, it was deleted before it was linked, which nothing of ours does. It stays queued, where the verification finds it.
      if (!content || isLinked) continue
      const { position, hash } = heads.get(chain) ?? { position: 0, hash: firstHash }
      const link = { chain, position: position + 1, hash: linkHash(hash, position + 1, content), entryId }
      heads.set(chain, link)
      links.push(link)
    }
    await insertLinks(tx, links, new Date(ctx.nowMs()))
    // An entry can be linked already if it was deleted and inserted again by hand.
    await deletePending(tx, [...links, ...pending.filter(({ isLinked }) => isLinked)])
    const linked = new Map(links.map((link) => [link.chain, link]))
    await saveMarks(
      tx,
      'head',
      [...linked.values()].map((link) => signMark(ctx, 'head', link)),
    )
    for (const kind of ['head', 'start'] as const) await resign(ctx, tx, kind)
    return links.length === linksMax
  })
}

/** After a change of the secret key, signs marks with the new one. A mark that was changed by hand must not be authenticated again. */
async function resign(ctx: Context, tx: Tx, kind: MarkKind): Promise<void> {
  const old = await findMarksOfOtherKeys(tx, kind, ctx.config.secretKeys.sealing, marksMax)
  const verified = old.filter((mark) => isAuthentic(ctx, kind, mark))
  await saveMarks(
    tx,
    kind,
    verified.map((mark) => signMark(ctx, kind, mark)),
  )
}
