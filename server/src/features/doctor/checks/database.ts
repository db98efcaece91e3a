import { formatBytes } from '@carillon/core'
import { explainError } from '../../../infra/command-line/explain-error.ts'
import { openDatabase } from '../../../infra/db/db.ts'
import { listMigrations } from '../../../infra/db/migrate.ts'
import { checkLogins } from '../../../infra/logins/check-logins.ts'
import { loginsToCreate, loginUrls } from '../../../infra/logins/login-urls.ts'
import { fail, ok, skipped, warn, type Check, type Finding, type Subject } from '../check.ts'
import {
  findMissingRights,
  hasRole,
  probeDatabase,
  readAppliedMigrations,
  readStorageUse,
  type DatabaseFacts,
} from '../database-facts.store.ts'

/** As docs/configuration.md says. */
const versionMin = 15

export const database: Check = {
  name: 'database',
  async run({ config }) {
    const setting = config.databaseUrl === null ? 'CARILLON_DATABASE_SYSTEM_URL' : 'DATABASE_URL'
    let facts: DatabaseFacts
    try {
      facts = await probeDatabase(config.databaseUrl ?? loginUrls(config).carillon_system)
    } catch (error) {
      const reason = explainError(error) ?? String(error)
      return fail(`PostgreSQL cannot be used: ${reason}`, `Check that PostgreSQL runs, and correct ${setting}.`)
    }
    const { version, user } = facts
    if (version < versionMin)
      return fail(`PostgreSQL ${version} is too old.`, `Upgrade it to version ${versionMin} or newer, and move the data.`)
    if (config.databaseUrl !== null && !facts.canCreateRoles && config.database.systemUrl === null)
      return fail(
        `The user "${user}" in DATABASE_URL may not create the logins of the service.`,
        `Run as a superuser: alter role "${user}" createrole. Or set CARILLON_DATABASE_APP_URL and CARILLON_DATABASE_SYSTEM_URL.`,
      )
    if (config.databaseUrl !== null && !facts.canCreateTables)
      return fail(
        `The user "${user}" in DATABASE_URL may not create tables.`,
        `Run as a superuser: grant create on schema public to "${user}". Or use the owner of the database.`,
      )
    return ok(`PostgreSQL ${version} answers as "${user}".`)
  },
}

export const schema: Check = {
  name: 'schema',
  after: ['database'],
  async run({ config }) {
    const applied = await readAppliedMigrations(config.databaseUrl ?? loginUrls(config).carillon_system)
    const known = await listMigrations()
    const missing = known.filter((name) => !applied.includes(name))
    const newer = applied.filter((name) => !known.includes(name))
    if (missing.length > 0) {
      const message = `The database lacks ${missing.length} of ${known.length} migrations, the first of which is ${missing[0]}.`
      if (config.databaseUrl !== null) return warn(message, 'Run "carillon migrate". "carillon serve" does it at its start too.')
      return fail(message, 'Run "carillon migrate" with DATABASE_URL, the address with the owner of the tables.')
    }
    if (newer.length > 0)
      return warn(
        `The database was migrated by a newer release, which added ${newer.join(', ')}.`,
        'Run that release. One release back works too, as the notes of each release say.',
      )
    return ok(`All ${known.length} migrations are applied.`)
  },
}

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

const shareToWarn = 0.8

/** What the files take of the limit that the operator has set for all workspaces together. */
export const storageUse: Check = {
  name: 'storage-use',
  after: ['database'],
  async run({ config }) {
    const used = await readStorageUse(config.databaseUrl ?? loginUrls(config).carillon_system)
    if (used === null) return skipped('The database does not count files yet: it lacks a migration.')
    const max = config.quotas.storageBytesTotal
    if (max === Infinity)
      return ok(`The files of all workspaces have ${formatBytes(used)}; CARILLON_QUOTA_STORAGE_BYTES_TOTAL sets no limit.`)
    const message = `The files of all workspaces have ${formatBytes(used)} of ${formatBytes(max)}.`
    const action =
      'Settings, Server status shows who stores most. Make room there, or raise CARILLON_QUOTA_STORAGE_BYTES_TOTAL if the store has room.'
    if (used >= max) return fail(`${message} Uploads are refused.`, action)
    return used >= shareToWarn * max ? warn(message, action) : ok(message)
  },
}

/** One listens for notifications, and one migrates. */
const besidePools = 2

export const databaseConnections: Check = {
  name: 'database-connections',
  after: ['database'],
  async run({ config }) {
    const { databaseUrl, database: limits } = config
    const { connectionsMax } = await probeDatabase(databaseUrl ?? loginUrls(config).carillon_system)
    const needed = limits.tenantConnections + limits.systemConnections + besidePools
    if (needed > connectionsMax)
      return warn(
        `One process may open ${needed} connections, and PostgreSQL allows ${connectionsMax} in all.`,
        'Raise max_connections, or lower CARILLON_DATABASE_TENANT_CONNECTIONS and CARILLON_DATABASE_SYSTEM_CONNECTIONS.',
      )
    return ok(`PostgreSQL allows ${connectionsMax} connections; one process opens at most ${needed}.`)
  },
}
