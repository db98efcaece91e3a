import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const shape = new RegExp(`^sk_[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** `sk_`, 43 random base62 characters, and a checksum with which a mistyped key is refused without a database query. */
export function newApiKey(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `sk_${secret}${checksum(secret)}`
}

export function isWellFormedKey(key: string): boolean {
  return shape.test(key) && checksum(key.slice(3, 3 + secretLength)) === key.slice(3 + secretLength)
}

/** Stored instead of the key. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

export function keyPrefix(key: string): string {
  return key.slice(0, 11)
}

function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let n = 0; n < checksumLength; n++) {
    text = `${alphabet[rest % alphabet.length]}${text}`
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
