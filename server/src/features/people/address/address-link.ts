import { createHash, randomBytes } from 'node:crypto'

/** The token of a new link. It contains the new address; the database has only a hash of both. */
export function createAddressToken(email: string): string {
  return `${randomBytes(24).toString('base64url')}.${Buffer.from(email).toString('base64url')}`
}

/** The address in a token. It counts only if the hash of the token is in the database. */
export function readAddress(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
}

export function hashAddressToken(token: string): string {
  return createHash('sha256').update(`address ${token}`).digest('base64url')
}
