import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import { findMissingMigrations } from '../infra/db/schema.store.ts'
import { checkLogins } from '../infra/logins/check-logins.ts'
import { prepareLogins } from '../infra/logins/prepare-database.ts'
import { StartError } from '../infra/problem/start-error.ts'
import { checkSecretKeys } from '../infra/sealing/check-secret-keys.ts'

/** Opens the context of a command, unless the database's logins, its schema or the secret keys do not fit. */
export async function openContext(config: Config): Promise<{ ctx: Context; close(): Promise<void> }> {
  await prepareLogins(config)
  const opened = createContext(config)
  const { db } = opened.ctx
  try {
    await checkLogins(db)
    if (config.databaseUrl === null) await checkSchema(opened.ctx)
    await checkSecretKeys(db.system, config.secretKeys)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function checkSchema({ db }: Context): Promise<void> {
  const missing = await findMissingMigrations(db.system)
  if (missing.length === 0) return
  throw new StartError(
    `The database lacks ${missing.length} migrations, the first of which is ${missing[0]}. Run "carillon migrate" with DATABASE_URL, the ` +
      `address with the owner of the tables. This process does not have it and cannot migrate.`,
  )
}
