import type { Context } from '../../context.ts'
import {
  claimPending,
  deletePending,
  findHeadsOfOtherKeys,
  insertLinks,
  loadHeads,
  lockChains,
  saveHeads,
  type NewLink,
  type SignedHead,
} from './audit-chain.store.ts'
import { firstHash, headMac, linkHash, type Head } from './chain-hash.ts'

const linksMax = 2000
const headsMax = 500

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
    const old = await findHeadsOfOtherKeys(tx, ctx.config.secretKeys.sealing, headsMax)
    const known = new Set(links.map(({ chain }) => chain))
    const verified = old.filter((head) => !known.has(head.chain) && isAuthentic(ctx, head))
    await saveHeads(tx, [...[...known].map((chain) => sign(ctx, heads.get(chain))), ...verified.map((head) => sign(ctx, head))])
    return links.length === linksMax
  })
}

function sign({ config: { secretKeys } }: Context, head: Head | undefined): SignedHead {
  const mac = head && headMac(secretKeys, secretKeys.sealing, head)
  if (!head || !mac) throw new Error('a chain without a head, or no key')
  return { chain: head.chain, position: head.position, hash: head.hash, keyId: secretKeys.sealing, mac }
}

/** A head that was changed by hand must not be authenticated again. */
export function isAuthentic({ config: { secretKeys } }: Context, head: SignedHead): boolean {
  return headMac(secretKeys, head.keyId, head)?.equals(head.mac) ?? false
}
