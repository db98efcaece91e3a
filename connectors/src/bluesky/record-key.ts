import { createHash } from 'node:crypto'
import type { Handle } from '../kit/connector.ts'

const alphabet = '234567abcdefghijklmnopqrstuvwxyz'
const length = 13

/**
 * The record key of a send: a valid TID (53 bits of microseconds, 10 bits of clock id) that is the same for every attempt.
 * The second comes from the handle's time, the other 30 bits from a hash of its key, so that two posts in one second differ.
 */
export function recordKey({ key, atMs }: Handle): string {
  const digest = createHash('sha256').update(key).digest()
  const microsWithin = BigInt(digest.readUInt32BE(0) % 1_000_000)
  const clockId = BigInt(digest.readUInt32BE(4) % 1024)
  const micros = BigInt(Math.floor(atMs / 1000)) * 1_000_000n + microsWithin
  return toSortableBase32((micros << 10n) | clockId)
}

function toSortableBase32(value: bigint): string {
  const places = Array.from({ length }, (_, place) => Number((value >> BigInt(5 * (length - 1 - place))) & 31n))
  return places.map((digit) => alphabet.charAt(digit)).join('')
}
