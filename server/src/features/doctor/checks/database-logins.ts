import { explainError } from '../../../infra/command-line/explain-error.ts'
import { openDatabase } from '../../../infra/db/db.ts'
import { checkLogins } from '../../../infra/logins/check-logins.ts'
import { loginsToCreate, loginUrls } from '../../../infra/logins/login-urls.ts'
import { fail, ok, type Check, type Finding, type Subject } from '../check.ts'
import { findMissingRights, hasRole } from '../database-facts.store.ts'

const pool = { connections: 1, statementMs: 5000 }

export const databaseLogins: Check = {
  name: 'database-logins',
  after: ['database'],
  async run({ config }) {
    const { databaseUrl } = config
    const missing = databaseUrl === null ? [] : await findMissingLogins(databaseUrl, config)
    if (missing.length > 0)
      return ok(`The login ${missing.join(' and ')} does not exist yet; Carillon creates it when it starts.`)
    return (await findRefusal(config)) ?? (await findRights(config))
  },
}

async function findMissingLogins(ownerUrl: string, config: Subject['config']): Promise<string[]> {
  const missing: string[] = []
  for (const { name } of loginsToCreate(config)) if (!(await hasRole(ownerUrl, name))) missing.push(name)
  return missing
}

async function findRefusal(config: Subject['config']): Promise<Finding | null> {
  const { carillon_app: appUrl, carillon_system: systemUrl } = loginUrls(config)
  const db = openDatabase({ appUrl, systemUrl, tenant: pool, system: pool, onError: () => {} })
  try {
    await checkLogins(db)
    return null
  } catch (error) {
    const message = explainError(error) ?? String(error)
    return fail(message, 'Correct the login as described, or leave both settings empty: then Carillon makes the logins.')
  } finally {
    await db.close()
  }
}

async function findRights(config: Subject['config']): Promise<Finding> {
  const urls = loginUrls(config)
  const [app, system] = [
    await findMissingRights(urls.carillon_app, 'app'),
    await findMissingRights(urls.carillon_system, 'system'),
  ]
  const missing = [...app.map((right) => `carillon_app: ${right}`), ...system.map((right) => `carillon_system: ${right}`)]
  if (missing.length === 0) return ok('Both logins of the service work and have the rights of their role.')
  return fail(
    `The logins lack rights: ${missing.slice(0, 5).join('; ')}${missing.length > 5 ? ' and more' : ''}.`,
    'Grant them as the owner of the tables, for example: grant select, insert, update, delete on <table> to <role>. If the database was ' +
      'restored from a dump, empty it, run "carillon roles", and restore the dump again.',
  )
}
