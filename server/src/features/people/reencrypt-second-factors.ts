import { formatEnvelope, symmetricDecrypt, symmetricEncrypt, type SecretConfig } from 'better-auth/crypto'
import type { Context } from '../../context.ts'
import type { Resealed } from '../../infra/sealing/reseal-stored.ts'
import { authSecrets } from './auth-secrets.ts'
import { lockSecondFactors, updateSecondFactor, type SecondFactor } from './second-factor.store.ts'

const batchSize = 200

/** Encrypts the second factors that an older key encrypted with the first key, as better-auth does. It may be interrupted and repeated. */
export async function reencryptSecondFactors({ db, config }: Context): Promise<Resealed> {
  const secrets = authSecrets(config.secretKeys)
  const key: SecretConfig = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0].version,
  }
  const total: Resealed = { changed: 0, unreadable: 0 }
  const envelope = formatEnvelope(key.currentVersion, '')
  let after = ''
  for (;;) {
    const last = await db.system.transaction().execute(async (tx) => {
      const factors = await lockSecondFactors(tx, { envelope, after, limit: batchSize })
      for (const factor of factors) {
        const changed = await reencrypt(key, factor)
        if (changed) await updateSecondFactor(tx, changed)
        total[changed ? 'changed' : 'unreadable']++
      }
      return factors.at(-1)?.id
    })
    if (last === undefined) return total
    after = last
  }
}

async function reencrypt(key: SecretConfig, { id, secret, backupCodes }: SecondFactor): Promise<SecondFactor | null> {
  const change = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) })
  try {
    return { id, secret: await change(secret), backupCodes: await change(backupCodes) }
  } catch {
    return null
  }
}
