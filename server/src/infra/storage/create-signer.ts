import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../sealing/seal.ts'

/** The request that a signed URL allows: this method on this key with these query parameters, until it expires. */
type SignedRequest = { method: 'GET' | 'PUT'; key: string; expiresAtMs: number; params: Record<string, string> }

export type Signer = {
  /** The query of a URL that allows the request. */
  sign(allowed: SignedRequest): URLSearchParams
  /** The signed query parameters, or null if the signature is not valid or has expired. */
  verify(request: { method: string; key: string; query: URLSearchParams; nowMs: number }): Record<string, string> | null
}

/**
 * Signs URLs with keys derived from the sealing keys: a leaked signing key does not reveal the sealing key. The first key signs, all of
 * them verify.
 */
export function createSigner({ sealing, keys }: SecretKeys): Signer {
  const derived = new Map(
    [...keys].map(([id, key]) => [id, Buffer.from(hkdfSync('sha256', key, '', 'carillon file address', 32))]),
  )
  const signing = derived.get(sealing)
  if (!signing) throw new Error('there is no key to sign with')

  return {
    sign({ method, key, expiresAtMs, params }) {
      const query = new URLSearchParams({ ...params, expires: String(Math.ceil(expiresAtMs / 1000)) })
      query.set('signature', mac(signing, method, key, query).toString('hex'))
      return query
    },
    verify({ method, key, query, nowMs }) {
      const signature = query.get('signature') ?? ''
      // Check the text first: parsing hex ignores invalid characters at the end.
      if (!/^[0-9a-f]{64}$/.test(signature)) return null
      const given = Buffer.from(signature, 'hex')
      const isOurs = [...derived.values()].some((secret) => timingSafeEqual(given, mac(secret, method, key, query)))
      if (!isOurs || Number(query.get('expires')) * 1000 < nowMs) return null
      const { signature: _signature, expires: _expires, ...params } = Object.fromEntries(query)
      return params
    },
  }
}

/** Every parameter is signed, also one that appears twice; their order does not matter. */
function mac(secret: Buffer, method: string, key: string, query: URLSearchParams): Buffer {
  const params = [...query].filter(([name]) => name !== 'signature').toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, key, params]))
    .digest()
}
