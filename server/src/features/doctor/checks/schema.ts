import { listMigrations } from '../../../infra/db/migrate.ts'
import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { fail, ok, warn, type Check } from '../check.ts'
import { readAppliedMigrations } from '../database-facts.store.ts'

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
