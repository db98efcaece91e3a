import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../../../../config.ts'
import { cellQuery } from '../../../../infra/db/sql-parts.ts'

/** For so long a link works, if nothing ends it before. */
export const linkLastsMs = 14 * 86_400_000
const tokenBytes = 32

/** A new secret, its address, and what is stored of it. */
export function newLinkSecret(config: Config): { url: string; hash: Buffer } {
  const token = randomBytes(tokenBytes).toString('base64url')
  // `cellQuery` continues a query.
  const query = cellQuery(config).replace(/^&/, '?')
  return { url: `${config.publicUrl}/approve/${token}${query}`, hash: hashToken(token) }
}

/** Stored instead of the token, so that the database does not contain working links. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
