import type { Config } from '../../config.ts'
import { migrate } from '../db/migrate.ts'
import { sessionDefaults } from '../db/session-defaults.ts'
import { deriveLogins } from './derive-logins.ts'
import { dropOtherLogins, ensureLogins } from './login.store.ts'
import { configuredLogins, loginsToCreate, ownerUrl } from './login-urls.ts'

/** Brings the schema forward. A process without the owner's address leaves this to `carillon migrate`. */
export async function migrateIfOwner({ databaseUrl }: Config): Promise<void> {
  if (databaseUrl !== null) await migrate(databaseUrl)
}

/** Creates the logins that are not configured. */
export async function prepareLogins(config: Config): Promise<void> {
  const logins = loginsToCreate(config)
  if (logins.length > 0) await ensureLogins(ownerUrl(config), logins, sessionDefaults(config.database))
}

/**
 * What `carillon migrate` does. Only this command drops logins of secret keys that are no longer configured: while keys are being changed, a
 * process with the old list may start after one with the new list, and must not take its logins away.
 */
export async function migrateDatabase(
  config: Config,
  { createsLogins = false }: { createsLogins?: boolean } = {},
): Promise<{ applied: string[]; droppedLogins: string[] }> {
  const owner = ownerUrl(config)
  const configured = createsLogins ? configuredLogins(config) : []
  const applied = await migrate(owner)
  await prepareLogins(config)
  if (configured.length > 0) await ensureLogins(owner, configured, sessionDefaults(config.database))
  const { keys } = config.secretKeys
  const kept = [...keys.keys()].map((id) => deriveLogins(owner, { sealing: id, keys }))
  return { applied, droppedLogins: await dropOtherLogins(owner, kept) }
}
