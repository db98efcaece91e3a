import { openDatabase } from '../../../infra/db/db.ts'
import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { StartError } from '../../../infra/problem/problem.ts'
import { verifySecretKeys } from '../../../infra/sealing/check-secret-keys.ts'
import { fail, ok, skipped, type Check, type Subject } from '../check.ts'
import { canConnect, readAppliedMigrations } from '../database-facts.store.ts'

const pool = { connections: 1, statementMs: 5000 }

export const secretKeys: Check = {
  name: 'secret-keys',
  after: ['database'],
  async run({ config }) {
    const { secretKeys: keys } = config
    const systemUrl = await findUsableUrl(config)
    if (!(await readAppliedMigrations(systemUrl)).includes('014_secret_canary.sql'))
      return skipped('Not checked, because the database has no tables yet.')
    const db = openDatabase({ appUrl: systemUrl, systemUrl, tenant: pool, system: pool, onError: () => {} })
    try {
      const { idsInUse: inUse } = await verifySecretKeys(db.system, keys)
      const old = inUse.filter((id) => id !== keys.sealing)
      const rotation = old.length > 0 ? ` Secrets still use ${old.join(', ')}: "carillon rotate-keys" changes that.` : ''
      return ok(`The keys open what is stored; "${keys.sealing}" encrypts.${rotation}`)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return fail(error.message, 'Nothing can be published with these keys. Restore the right ones before you start Carillon.')
    } finally {
      await db.close()
    }
  },
}

/** A wrong key also gives a login that does not exist; then the owner can still say which keys are in use. */
async function findUsableUrl(config: Subject['config']): Promise<string> {
  const { carillon_system: systemUrl } = loginUrls(config)
  return config.databaseUrl === null || (await canConnect(systemUrl)) ? systemUrl : config.databaseUrl
}
