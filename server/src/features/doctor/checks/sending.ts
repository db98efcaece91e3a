import { openDatabase } from '../../../infra/db/db.ts'
import { readCell } from '../../../infra/cell/cell.store.ts'
import { readPipelineStatus } from '../../../infra/health/pipeline-status.store.ts'
import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { fail, ok, skipped, warn, type Check } from '../check.ts'
import { canConnect } from '../database-facts.store.ts'

const pool = { connections: 1, statementMs: 5000 }
/** A worker sends a heartbeat every 8 s. */
const heartbeatMsMax = 30_000
const overdueSecondsMax = 60

/** Whether posts go out: no fence, a worker with a heartbeat, and nothing that waits past its time. */
export const sending: Check = {
  name: 'sending',
  after: ['database', 'schema'],
  async run({ config }) {
    const { carillon_app: appUrl, carillon_system: systemUrl } = loginUrls(config)
    if (!(await canConnect(systemUrl))) return skipped('Not checked, because the login of the service does not exist yet.')
    const db = openDatabase({ appUrl, systemUrl, tenant: pool, system: pool, onError: () => {} })
    try {
      const { fencedAt, fenceReason } = await readCell(db.system)
      if (fencedAt)
        return fail(
          `The database is fenced, so nothing is sent: ${fenceReason}.`,
          'Run "carillon fence status" and follow what it says.',
        )
      const { heartbeatAgeMs, oldestOverdueSeconds, unknownPlatforms } = await readPipelineStatus(db.system)
      if (oldestOverdueSeconds > overdueSecondsMax)
        return warn(`A post is ${Math.round(oldestOverdueSeconds)} s late.`, 'Start a worker, and look at its log.')
      if (heartbeatAgeMs === null || heartbeatAgeMs > heartbeatMsMax)
        return warn('No worker runs now.', 'Start one: carillon serve --role all')
      if (unknownPlatforms.length > 0)
        return warn(
          `Posts wait for platforms that this release does not know: ${unknownPlatforms.map(({ platform }) => platform).join(', ')}.`,
          'Start the newer release again: it sends them.',
        )
      return ok('A worker runs, and nothing is late.')
    } finally {
      await db.close()
    }
  },
}
