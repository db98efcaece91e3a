import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { getMetrics } from '../../infra/metrics/get-metrics.ts'
import {
  claimPending,
  deletePending,
  findBegun,
  findMarksOfOtherKeys,
  insertLinks,
  loadHeads,
  lockChains,
  saveMarks,
  type NewLink,
} from './audit-chain.store.ts'
import { findSeal, saveSeal } from './audit-seal.store.ts'
import { firstHash, linkHash, type Mark, type MarkKind } from './chain-hash.ts'
import { isAuthenticSeal, oldestToLink, signSeal } from './seal-audit.ts'
import { isAuthentic, signMark } from './sign-mark.ts'
import { lateMs, timeOf } from './verify-audit.ts'

const linksMax = 2000
const marksMax = 500

/** Adds new audit entries to the hash chains of their workspaces and people. Returns whether there may be more. */
export async function linkEntries(ctx: Context): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await lockChains(tx))) return false
    const pending = await claimPending(tx, linksMax)
    const { heads, stopped, notBefore } = await findEnds(ctx, tx, [...new Set(pending.map(({ chain }) => chain))])
    const links: NewLink[] = []
    const refused: string[] = []
    for (const { chain, entryId, isLinked, content } of pending) {
      // Without content, it was deleted before it was linked, which nothing of ours does. It stays queued, where the verification finds it.
      if (!content || isLinked) continue
      if (stopped.has(chain) || (notBefore !== null && timeOf(entryId) < notBefore)) {
        refused.push(chain)
        continue
      }
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
    reportRefused(ctx, refused)
    return links.length === linksMax
  })
}

type Ends = { heads: Map<string, Mark>; stopped: Set<string>; notBefore: number | null }

/**
 * Where the chains end, and which of them must not be extended: what is added to a chain is authenticated with everything before it. The
 * end must be one that we authenticated, and a chain without an end must be one that has not begun.
 */
async function findEnds(ctx: Context, tx: Tx, chains: readonly string[]): Promise<Ends> {
  const seal = await findSeal(tx)
  if (seal && seal.keyId !== ctx.config.secretKeys.sealing && isAuthenticSeal(ctx, seal)) await saveSeal(tx, signSeal(ctx, seal))
  if (chains.length === 0) return { heads: new Map(), stopped: new Set(), notBefore: null }
  const heads = await loadHeads(tx, chains)
  const changed = [...heads.values()].filter((head) => !isAuthentic(ctx, 'head', head)).map(({ chain }) => chain)
  const begun = await findBegun(
    tx,
    chains.filter((chain) => !heads.has(chain)),
  )
  return { heads: new Map(heads), stopped: new Set([...changed, ...begun]), notBefore: await oldestToLink(ctx, seal, lateMs) }
}

/** They stay queued, where the verification finds them. */
function reportRefused(ctx: Context, refused: readonly string[]): void {
  getMetrics(ctx).auditRefused.set(refused.length)
  if (refused.length > 0)
    ctx.log.error(
      { chains: [...new Set(refused)].slice(0, 20), entries: refused.length },
      'audit logs were changed in the database, so these entries are not added to them; run "carillon audit verify"',
    )
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
