import { schnorr } from '@noble/curves/secp256k1.js'
import { bech32 } from '@scure/base'

/** An address of an event contains the names of relays, so it is longer than BIP-173 allows. */
const lengthMax = 1500

/** NIP-19: a prefix, and bytes in 32 letters. Undefined for anything else. */
export function decodeEntity(text: string): { prefix: string; bytes: Buffer } | undefined {
  const lower = text.toLowerCase()
  if (lower.length > lengthMax || !/^[a-z]+1[a-z\d]+$/.test(lower)) return undefined
  const decoded = bech32.decodeUnsafe(lower, lengthMax)
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  return decoded && bytes ? { prefix: decoded.prefix, bytes: Buffer.from(bytes) } : undefined
}

function encodeEntity(prefix: string, bytes: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(bytes), lengthMax)
}

/** The first field of this type in an `nprofile` or `nevent`, whose bytes are fields of a type, a length and a value. */
export function readField(bytes: Buffer, type: number): Buffer | undefined {
  for (let at = 0; at + 2 <= bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
    const value = bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0))
    if (bytes[at] === type) return value.length === bytes[at + 1] ? value : undefined
  }
  return undefined
}

/** The secret key as `nsec1…` or as 64 hexadecimal digits. Undefined for anything else, and for the few numbers that are no key. */
export function readSecretKey(entered: string): string | undefined {
  const text = entered.trim()
  const entity = decodeEntity(text)
  const hex = entity?.prefix === 'nsec' ? entity.bytes.toString('hex') : text.toLowerCase()
  return /^[\da-f]{64}$/.test(hex) && isKey(hex) ? hex : undefined
}

function isKey(hex: string): boolean {
  try {
    return publicKeyOf(hex) !== ''
  } catch {
    return false
  }
}

export function publicKeyOf(secretKey: string): string {
  return Buffer.from(schnorr.getPublicKey(Buffer.from(secretKey, 'hex'))).toString('hex')
}

export function npubOf(publicKey: string): string {
  return encodeEntity('npub', Buffer.from(publicKey, 'hex'))
}

/** The page of a note. Any app opens a `nevent`, which names a relay that has it. */
export function addressOf(id: string, publicKey: string, relay: string): string {
  const address = Buffer.from(relay.replace(/^http/, 'ws'))
  const fields = [
    [0, Buffer.from(id, 'hex')],
    ...(address.length < 256 ? [[1, address] as const] : []),
    [2, Buffer.from(publicKey, 'hex')],
  ] as const
  const bytes = Buffer.concat(fields.flatMap(([type, value]) => [Buffer.from([type, value.length]), value]))
  return `https://njump.me/${encodeEntity('nevent', bytes)}`
}
