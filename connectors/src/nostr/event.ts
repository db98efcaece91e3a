import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import type { Static } from 'typebox'
import { publicKeyOf } from './keys.ts'
import type { Event } from './wire.ts'

export type SignedEvent = Static<typeof Event>
export type EventParts = Pick<SignedEvent, 'kind' | 'created_at' | 'tags' | 'content'>

/** BIP-340 lets a signature be made without chance: the same event then has the same signature at every attempt. */
const noChance = new Uint8Array(32)

export function signEvent(parts: EventParts, secretKey: string): SignedEvent {
  const pubkey = publicKeyOf(secretKey)
  const id = idOf({ ...parts, pubkey })
  const sig = schnorr.sign(Buffer.from(id, 'hex'), Buffer.from(secretKey, 'hex'), noChance)
  const { kind, created_at, tags, content } = parts
  return { id, pubkey, created_at, kind, tags, content, sig: Buffer.from(sig).toString('hex') }
}

/** The hash of what was written. Two events with one id are the same event. */
export function idOf({ pubkey, created_at: at, kind, tags, content }: EventParts & Pick<SignedEvent, 'pubkey'>): string {
  return createHash('sha256')
    .update(JSON.stringify([0, pubkey, at, kind, tags, content]))
    .digest('hex')
}

/** An event that its author has signed. A relay can leave events out, but not make one up. */
export function isGenuine(event: SignedEvent): boolean {
  if (idOf(event) !== event.id) return false
  try {
    return schnorr.verify(Buffer.from(event.sig, 'hex'), Buffer.from(event.id, 'hex'), Buffer.from(event.pubkey, 'hex'))
  } catch {
    // The key is no point of the curve.
    return false
  }
}
