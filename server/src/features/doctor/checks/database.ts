import { explainError } from '../../../infra/command-line/explain-error.ts'
import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { fail, ok, type Check } from '../check.ts'
import { probeDatabase, type DatabaseFacts } from '../database-facts.store.ts'

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
