import { createHash, randomBytes } from 'node:crypto'

/** What the link carries. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored in its place. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
