import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'

type Parts = { kind?: number; content?: string; tags?: string[][]; atMs?: number }

/** An event of Nostr, signed with a secret key in hexadecimal digits. */
export function signEvent(secret: string, { kind = 1, content = '', tags = [], atMs = Date.now() }: Parts) {
  const key = Buffer.from(secret, 'hex')
  const pubkey = Buffer.from(schnorr.getPublicKey(key)).toString('hex')
  const created_at = Math.floor(atMs / 1000)
  const id = createHash('sha256')
    .update(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
    .digest()
  const sig = Buffer.from(schnorr.sign(id, key)).toString('hex')
  return { id: id.toString('hex'), pubkey, created_at, kind, tags, content, sig }
}

/** The header with which a media server is asked. */
export function authorize(secret: string, { tags = [], ...parts }: Parts): string {
  const ends = String(Math.floor(Date.now() / 1000) + 600)
  const event = signEvent(secret, { kind: 24_242, ...parts, tags: [...tags, ['expiration', ends]] })
  return `Nostr ${Buffer.from(JSON.stringify(event)).toString('base64')}`
}
