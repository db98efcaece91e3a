import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { ok, warn, type Check } from '../check.ts'
import { probeDatabase } from '../database-facts.store.ts'

/** One listens for notifications, and one migrates. */
const besidePools = 2

export const databaseConnections: Check = {
  name: 'database-connections',
  after: ['database'],
  async run({ config }) {
    const { databaseUrl, database } = config
    const { connectionsMax } = await probeDatabase(databaseUrl ?? loginUrls(config).carillon_system)
    const needed = database.tenantConnections + database.systemConnections + besidePools
    if (needed > connectionsMax)
      return warn(
        `One process may open ${needed} connections, and PostgreSQL allows ${connectionsMax} in all.`,
        'Raise max_connections, or lower CARILLON_DATABASE_TENANT_CONNECTIONS and CARILLON_DATABASE_SYSTEM_CONNECTIONS.',
      )
    return ok(`PostgreSQL allows ${connectionsMax} connections; one process opens at most ${needed}.`)
  },
}
