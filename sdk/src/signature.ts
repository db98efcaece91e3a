const algorithm = { name: 'HMAC', hash: 'SHA-256' }

/** Is `given` the HMAC-SHA256 of the parts, one after the other? Web Crypto compares in constant time. */
export async function hmacMatches(
  key: Uint8Array<ArrayBuffer>,
  given: Uint8Array<ArrayBuffer>,
  parts: readonly Uint8Array[],
): Promise<boolean> {
  if (key.length === 0) return false
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, given, joinBytes(parts))
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text))
}

/** Null for what is not hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, n) => Number.parseInt(text.slice(n * 2, n * 2 + 2), 16))
}

/** Null for what is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
