import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { cellMax, ownCell } from '../../infra/db/ids.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const shape = new RegExp(`^(?:sk|ca|cr)_[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** `sk` is a key that a person made, `ca` and `cr` are the access and refresh tokens of a program (see features/oauth). */
export type SecretKind = 'sk' | 'ca' | 'cr'

/** `sk_`, 43 random base62 characters, and a checksum with which a mistyped key is refused without a database query. */
export function newApiKey(cell: number = ownCell()): string {
  return newSecret('sk', cell)
}

/** A key or a token: its kind, and the same as in a key. */
export function newSecret(kind: SecretKind, cell: number = ownCell()): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${kind}_${secret}${encode((crc32(secret) ^ markOf(cell)) >>> 0)}`
}

export function isWellFormedKey(key: string): boolean {
  return cellOfKey(key) !== null
}

/**
 * The cell that created a key, or null if the checksum is wrong. The checksum is the CRC-32 of the secret, changed by the mark of the cell, so
 * a router can tell where a key belongs, and keys of cell 0 look as they did before there were cells.
 */
export function cellOfKey(key: string): number | null {
  if (!shape.test(key)) return null
  const secret = key.slice('sk_'.length, 'sk_'.length + secretLength)
  const checksum = decode(key.slice(-checksumLength))
  return checksum < 2 ** 32 ? (cellOfMark.get((checksum ^ crc32(secret)) >>> 0) ?? null) : null
}

/**
 * How the CRC-32 of a secret changes when the number of its cell is in front of it: 32 bits, which are 0 for cell 0. The number itself, added to
 * the CRC-32, would not do: a key with a mistyped end would be one of another cell.
 */
function markOf(cell: number): number {
  const bytes = Buffer.alloc(4 + secretLength)
  const ofZero = crc32(bytes)
  bytes.writeUInt32BE(cell)
  return (crc32(bytes) ^ ofZero) >>> 0
}

const cellOfMark = new Map(Array.from({ length: cellMax + 1 }, (_, cell) => [markOf(cell), cell]))

/** Stored instead of the key. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

export function keyPrefix(key: string): string {
  return key.slice(0, 11)
}

function encode(number: number): string {
  let rest = number
  let text = ''
  for (let n = 0; n < checksumLength; n++) {
    text = `${alphabet[rest % alphabet.length]}${text}`
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}

function decode(text: string): number {
  let number = 0
  for (const character of text) number = number * alphabet.length + alphabet.indexOf(character)
  return number
}
