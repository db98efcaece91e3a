import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { findMark, listChains, listLinks, listUnlinked, readSnapshot, type StoredLink } from './audit-chain.store.ts'
import { firstHash, linkHash } from './chain-hash.ts'
import { isAuthentic } from './sign-mark.ts'

/** Longer than any transaction lasts, and than the worker needs to link an entry. */
export const lateMs = 10 * 60_000
const pageSize = 5000

type ChainFault = {
  /** The id of the workspace or person. */
  chain: string
  position: number | null
  entryId: string | null
  fault: 'changed' | 'removed' | 'inserted' | 'not linked' | 'link missing' | 'start changed' | 'end changed'
}

export type Verification = { chains: number; entries: number; notLinkedYet: number; faults: ChainFault[] }

/**
 * Recomputes the hash chains of the audit logs. It finds entries that were changed, removed or inserted later, also by a person with full
 * access to the database but without the secret keys. Entries of the last minutes may not be linked yet; they are only counted. A log whose
 * oldest entries were deleted because of their age begins at its authenticated start.
 */
export async function verifyAudit(ctx: Context, only: string | null): Promise<Verification> {
  const chains = only === null ? await listChains(ctx.db.system) : [only]
  const result: Verification = { chains: chains.length, entries: 0, notLinkedYet: 0, faults: [] }
  for (const chain of chains) {
    await readSnapshot(ctx.db.system, async (tx) => {
      const last = await verifyLinks(ctx, tx, { chain, result })
      await verifyEnd(ctx, tx, { chain, last, result })
      for (const { entryId, exists } of await listUnlinked(tx, chain)) {
        const isLate = ctx.nowMs() - timeOf(entryId) > lateMs
        if (exists && !isLate) result.notLinkedYet++
        else addFault(result, chain, { position: null, entryId }, exists ? 'not linked' : 'removed')
      }
    })
  }
  return result
}

export type End = { position: number; hash: Buffer }

/** What comes before the first link of a complete log. */
export const beforeFirst: End = { position: 0, hash: firstHash }

async function verifyLinks(ctx: Context, tx: Tx, { chain, result }: { chain: string; result: Verification }): Promise<End> {
  const start = await findMark(tx, 'start', chain)
  if (start && !isAuthentic(ctx, 'start', start))
    addFault(result, chain, { position: start.position, entryId: null }, 'start changed')
  let end: End = start ?? beforeFirst
  let newestMs = 0
  for (;;) {
    const links = await listLinks(tx, chain, { after: end.position, max: pageSize })
    for (const link of links) {
      if (link.position !== end.position + 1)
        addFault(result, chain, { ...link, position: end.position + 1, entryId: null }, 'link missing')
      const fault = findFault(link, end, newestMs)
      if (fault) addFault(result, chain, link, fault)
      newestMs = Math.max(newestMs, timeOf(link.entryId))
      // The stored hash, so that one changed entry is reported once and not with everything after it.
      end = link
    }
    result.entries += links.length
    if (links.length < pageSize) return end
  }
}

export function findFault(link: StoredLink, previous: End, newestMs: number): ChainFault['fault'] | null {
  if (!link.content) return 'removed'
  if (!linkHash(previous.hash, link.position, link.content).equals(link.hash)) return 'changed'
  // Entries are linked in the order of their ids, which contain the time. One that is much older than its predecessors was added later.
  return newestMs - timeOf(link.entryId) > lateMs ? 'inserted' : null
}

type VerifiedChain = { chain: string; last: End; result: Verification }

async function verifyEnd(ctx: Context, tx: Tx, { chain, last, result }: VerifiedChain): Promise<void> {
  const head = await findMark(tx, 'head', chain)
  if (!head && last.position === 0) return
  const isRight = head && head.position === last.position && head.hash.equals(last.hash) && isAuthentic(ctx, 'head', head)
  if (!isRight) addFault(result, chain, { position: head?.position ?? last.position, entryId: null }, 'end changed')
}

function addFault(
  result: Verification,
  chain: string,
  { position, entryId }: { position: number | null; entryId: string | null },
  fault: ChainFault['fault'],
): void {
  result.faults.push({ chain, position, entryId, fault })
}

/** The first 48 bits of a UUID v7 are its time in milliseconds. */
export function timeOf(entryId: string): number {
  return Number.parseInt(entryId.replaceAll('-', '').slice(0, 12), 16)
}
