import { formatEnvelope, symmetricDecrypt, symmetricEncrypt, type SecretConfig } from 'better-auth/crypto'
import type { Context } from '../../context.ts'
import type { Resealed } from '../../infra/sealing/reseal-stored.ts'
import type { SecretKeys } from '../../infra/sealing/seal.ts'
import { authSecretConfig } from './auth-secrets.ts'
import { lockSecondFactors, updateSecondFactor, type SecondFactor } from './second-factor.store.ts'

const batchSize = 200

/** Encrypts the second factors that an older key encrypted with the first key, as better-auth does. It may be interrupted and repeated. */
export async function reencryptSecondFactors({ db, config }: Context): Promise<Resealed> {
  const key = authSecretConfig(config.secretKeys)
  const total: Resealed = { changed: 0, unreadable: 0 }
  const envelope = formatEnvelope(key.currentVersion, '')
  let after = ''
  for (;;) {
    const last = await db.system.transaction().execute(async (tx) => {
      const factors = await lockSecondFactors(tx, { envelope, after, limit: batchSize })
      for (const factor of factors) {
        const changed = await reencrypt({ from: key, to: key }, factor)
        if (changed) await updateSecondFactor(tx, changed)
        total[changed ? 'changed' : 'unreadable']++
      }
      return factors.at(-1)?.id
    })
    if (last === undefined) return total
    after = last
  }
}

/** The same second factor for an installation with other keys, or null if the old keys do not open it. */
export async function reencryptFor(
  { from, to }: { from: SecretKeys; to: SecretKeys },
  factor: SecondFactor,
): Promise<SecondFactor | null> {
  return reencrypt({ from: authSecretConfig(from), to: authSecretConfig(to) }, factor)
}

async function reencrypt(
  { from, to }: { from: SecretConfig; to: SecretConfig },
  { id, secret, backupCodes }: SecondFactor,
): Promise<SecondFactor | null> {
  const change = async (data: string) => symmetricEncrypt({ key: to, data: await symmetricDecrypt({ key: from, data }) })
  try {
    return { id, secret: await change(secret), backupCodes: await change(backupCodes) }
  } catch {
    return null
  }
}
