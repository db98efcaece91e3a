import { createHash, hkdfSync } from 'node:crypto'
import type { SecretConfig } from 'better-auth/crypto'
import type { SecretKeys } from '../../infra/sealing/seal.ts'

export type AuthSecret = { version: number; value: string }

/**
 * The secrets that sign cookies and encrypt second factors. They are derived from CARILLON_SECRET_KEYS, so that an operator has no other
 * secret to store. The first signs and encrypts, all of them decrypt; the version identifies a secret independently of its position.
 */
export function authSecrets({ keys, sealing }: SecretKeys): [AuthSecret, ...AuthSecret[]] {
  const others = [...keys.keys()].filter((id) => id !== sealing)
  return [derive(keys, sealing), ...others.map((id) => derive(keys, id))]
}

/** The same secrets in the form in which better-auth encrypts and decrypts. */
export function authSecretConfig(secretKeys: SecretKeys): SecretConfig {
  const secrets = authSecrets(secretKeys)
  return { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion: secrets[0].version }
}

function derive(keys: SecretKeys['keys'], id: string): AuthSecret {
  const key = keys.get(id)
  if (!key) throw new Error(`there is no secret key ${id}`)
  const value = Buffer.from(hkdfSync('sha256', key, '', 'carillon people', 32)).toString('base64url')
  return { version: createHash('sha256').update(id).digest().readUInt32BE() >>> 1, value }
}
