import { createHash, hkdfSync } from 'node:crypto'
import type { SecretKeys } from '../../infra/sealing/secret-keys.ts'

export type AuthSecret = { version: number; value: string }

/**
 * What signs cookies and encrypts second factors, derived from the install's keys so that there is no other secret to keep. The first
 * signs and encrypts, all of them decrypt; the version says which one, whatever their order.
 */
export function authSecrets({ keys, sealing }: SecretKeys): [AuthSecret, ...AuthSecret[]] {
  const others = [...keys.keys()].filter((id) => id !== sealing)
  return [derive(keys, sealing), ...others.map((id) => derive(keys, id))]
}

function derive(keys: SecretKeys['keys'], id: string): AuthSecret {
  const key = keys.get(id)
  if (!key) throw new Error(`there is no secret key ${id}`)
  const value = Buffer.from(hkdfSync('sha256', key, '', 'carillon people', 32)).toString('base64url')
  return { version: createHash('sha256').update(id).digest().readUInt32BE() >>> 1, value }
}
