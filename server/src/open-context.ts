import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createContext } from './create-context.ts'
import { checkSchema } from './infra/db/check-schema.ts'
import { checkLogins } from './infra/logins/check-logins.ts'
import { prepareLogins } from './infra/logins/prepare-database.ts'
import { checkSecretKeys } from './infra/sealing/check-secret-keys.ts'

/**
 * Opens the context of a command, unless the database's logins, its schema or the secret keys do not fit. A process that does not or cannot
 * migrate requires the migrations of its release. The output of the service is its log; what a command prints is its result, and its log goes
 * beside it.
 */
export async function openContext(
  config: Config,
  { migrates = true, isService = false }: { migrates?: boolean; isService?: boolean } = {},
): Promise<{ ctx: Context; close(): Promise<void> }> {
  await prepareLogins(config)
  const opened = createContext(config, isService ? undefined : process.stderr)
  const { db } = opened.ctx
  try {
    await checkLogins(db)
    await checkSchema(db.system, { needsMigrations: !migrates || config.databaseUrl === null })
    await checkSecretKeys(db.system, config.secretKeys)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}
