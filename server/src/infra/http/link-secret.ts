import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { cellQuery } from '../db/sql-parts.ts'

const tokenBytes = 32
/** What every such secret looks like, so that nothing else is looked up. */
export const tokenPattern = /^[\w-]{43}$/

/** A new secret for a page without a sign-in, and what is looked up of it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** The address of the page with this secret below `path`. */
export function linkOf(config: Config, path: string, token: string): string {
  // `cellQuery` continues a query.
  return `${config.publicUrl}/${path}/${token}${cellQuery(config).replace(/^&/, '?')}`
}

/** Looked up instead of the token, so that the database does not contain working links. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
