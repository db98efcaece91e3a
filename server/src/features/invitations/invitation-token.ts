import { createHash, randomBytes } from 'node:crypto'

/** The secret in the mailed link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Stored instead of the token, so that the database does not contain working links. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
