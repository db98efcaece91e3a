import { joinBytes } from './bytes.ts'

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

/** Is `signature` the HMAC-SHA256 of the concatenated parts? Web Crypto compares in constant time. */
export async function hmacMatches(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  parts: readonly Uint8Array[],
): Promise<boolean> {
  // Web Crypto does not import an empty key.
  if (key.length === 0) return false
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, signature, joinBytes(parts))
}
