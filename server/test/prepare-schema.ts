import { migrate } from '../src/infra/db/migrate.ts'
import { ensureLogins } from '../src/infra/logins/login.store.ts'
import { loginsOf } from './logins.ts'

/** The current schema and the logins of the tests. */
export async function prepareSchema(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl)
  await ensureLogins(databaseUrl, Object.values(loginsOf(databaseUrl)))
}
