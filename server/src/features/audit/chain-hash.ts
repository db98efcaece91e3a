import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { SecretKeys } from '../../infra/sealing/seal.ts'

/** What the first link has in place of the hash before it. */
export const firstHash: Buffer = Buffer.alloc(32)

/** The content of an entry: every column, as PostgreSQL prints it. */
export type EntryContent = readonly (string | null)[]

/** The hash of a link. JSON separates the columns, so that no two entries have the same text. */
export function linkHash(previous: Buffer, position: number, content: EntryContent): Buffer {
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([position, ...content]))
    .digest()
}

/** The two places of a chain that are authenticated: its end, and its start if the oldest entries were deleted. */
export type MarkKind = 'head' | 'start'
export type Mark = { chain: string; position: number; hash: Buffer }

/**
 * Authenticates the end or the start of a chain. Hashes alone can be computed anew by an attacker who can write to the database; this key is
 * not stored in it. Without it, the first or last links of a chain could be removed, or a whole chain replaced, without a trace.
 */
export function markMac(
  { keys }: SecretKeys,
  keyId: string,
  kind: MarkKind | 'seal',
  { chain, position, hash }: Mark,
): Buffer | null {
  const key = keys.get(keyId)
  if (!key) return null
  const derived = Buffer.from(hkdfSync('sha256', key, '', `carillon audit ${kind}`, 32))
  return createHmac('sha256', derived)
    .update(JSON.stringify([chain, position, hash.toString('hex')]))
    .digest()
}
