import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import { checkSecretKeys, SecretKeyError } from '../infra/sealing/check-secret-keys.ts'

/** Opens the context of a command, and ends the process with a plain message if the secret keys do not fit the database. */
export async function openContext(config: Config): Promise<{ ctx: Context; close(): Promise<void> }> {
  const opened = createContext(config)
  try {
    await checkSecretKeys(opened.ctx.db.system, config.secretKeys)
    return opened
  } catch (error) {
    await opened.close()
    if (!(error instanceof SecretKeyError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
