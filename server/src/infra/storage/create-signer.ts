import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../sealing/secret-keys.ts'

/** What an address lets one do: this method, on this key, with these words, until it expires. */
export type SignedRequest = { method: 'GET' | 'PUT'; key: string; expiresAtMs: number; words: Record<string, string> }

export type Signer = {
  /** The query of an address that carries the permit. */
  sign(permit: SignedRequest): URLSearchParams
  /** The words of the permit, or null when it is not ours, has been altered or has run out. */
  verify(scope: { method: string; key: string; query: URLSearchParams; nowMs: number }): Record<string, string> | null
}

/** Keys of their own, derived from those that seal: whoever learns one does not learn the other. The first signs, all are recognised. */
export function createSigner({ sealing, keys }: SecretKeys): Signer {
  const derived = new Map(
    [...keys].map(([id, key]) => [id, Buffer.from(hkdfSync('sha256', key, '', 'carillon file address', 32))]),
  )
  const signing = derived.get(sealing)
  if (!signing) throw new Error('there is no key to sign with')

  return {
    sign({ method, key, expiresAtMs, words }) {
      const query = new URLSearchParams({ ...words, expires: String(Math.ceil(expiresAtMs / 1000)) })
      query.set('signature', mac(signing, method, key, query).toString('hex'))
      return query
    },
    verify({ method, key, query, nowMs }) {
      const signature = query.get('signature') ?? ''
      // Checked as text first: reading hex would forgive what stands after it.
      if (!/^[0-9a-f]{64}$/.test(signature)) return null
      const given = Buffer.from(signature, 'hex')
      const isOurs = [...derived.values()].some((secret) => timingSafeEqual(given, mac(secret, method, key, query)))
      if (!isOurs || Number(query.get('expires')) * 1000 < nowMs) return null
      const { signature: _signature, expires: _expires, ...words } = Object.fromEntries(query)
      return words
    },
  }
}

/** Every word is bound, one said twice included; their order is not. */
function mac(secret: Buffer, method: string, key: string, query: URLSearchParams): Buffer {
  const words = [...query].filter(([name]) => name !== 'signature').toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, key, words]))
    .digest()
}
