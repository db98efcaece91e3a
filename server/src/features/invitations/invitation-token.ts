import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../../infra/sealing/secret-keys.ts'

type Key = { workspaceId: string; id: string }

/**
 * The secret in the link of an invitation. It is derived from the first secret key and the id, so that the inviter can be shown the link
 * again although only a hash of it is stored.
 */
export function newToken({ keys, sealing }: SecretKeys, of: Key): string {
  const key = keys.get(sealing)
  if (!key) throw new Error(`there is no secret key ${sealing}`)
  return derive(key, of)
}

/** The token of a stored invitation, or null if it was made with a key that is no longer in the list. */
export function findToken({ keys }: SecretKeys, of: Key, hash: Buffer): string | null {
  const tokens = [...keys.values()].map((key) => derive(key, of))
  return tokens.find((token) => timingSafeEqual(tokenHash(token), hash)) ?? null
}

function derive(key: Buffer, { workspaceId, id }: Key): string {
  return Buffer.from(hkdfSync('sha256', key, '', `carillon invitation ${workspaceId} ${id}`, 32)).toString('base64url')
}

/** Stored instead of the token, so that the database does not contain working links. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
