import { readCell } from '../../../infra/cell/cell.store.ts'
import { openDatabase } from '../../../infra/db/db.ts'
import { checkWorkerHost } from '../../../infra/engine/deployments.ts'
import { readPipelineStatus } from '../../../infra/health/heartbeat.store.ts'
import { loginUrls } from '../../../infra/logins/login-urls.ts'
import { StartError } from '../../../infra/problem/problem.ts'
import { type Check, fail, fetchText, ok, skipped, warn } from '../check.ts'
import { canConnect } from '../database-facts.store.ts'

/** As docs/configuration.md says. */
const supported = /^1\.(?:[7-9]|\d\d)\./

export const engine: Check = {
  name: 'engine',
  async run({ config: { restateAdminUrl, restateIngressUrl } }) {
    const admin = await fetchText(`${restateAdminUrl}/version`)
    if (!admin.isOk)
      return fail(
        `The engine does not answer at ${restateAdminUrl}: ${admin.problem}.`,
        'Start Restate, or correct RESTATE_ADMIN_URL.',
      )
    const ingress = await fetchText(`${restateIngressUrl}/restate/health`)
    if (!ingress.isOk)
      return fail(
        `The engine does not accept work at ${restateIngressUrl}: ${ingress.problem}.`,
        'Start Restate, or correct RESTATE_INGRESS_URL.',
      )
    const version = /"version"\s*:\s*"([^"]+)"/.exec(admin.text)?.[1] ?? 'unknown'
    if (!supported.test(version)) return warn(`The engine has the version ${version}.`, 'Use Restate 1.7 or a newer 1.x.')
    return ok(`The engine answers; it is Restate ${version}.`)
  },
}

export const engineDeployment: Check = {
  name: 'engine-deployment',
  after: ['engine'],
  async run({ config: { restateAdminUrl, workerUrl } }) {
    const { text } = await fetchText(`${restateAdminUrl}/deployments`)
    const { deployments = [] } = JSON.parse(text) as { deployments?: { uri?: string }[] }
    const known = deployments.flatMap(({ uri }) => (uri === undefined ? [] : [new URL(uri).href]))
    if (known.includes(new URL(workerUrl).href)) return ok(`The engine sends work to ${workerUrl}.`)
    if (known.length === 0)
      return warn('The engine knows no worker, so nothing is published.', 'Start a worker: it registers itself within seconds.')
    return warn(
      `The engine sends work to ${known.join(', ')}, and not to ${workerUrl}.`,
      'Start a worker with these settings, or correct CARILLON_WORKER_URL.',
    )
  },
}

export const workerAddress: Check = {
  name: 'worker-address',
  isQuick: true,
  async run({ config }) {
    try {
      checkWorkerHost(config)
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      return fail(error.message, 'A worker does not start like this.')
    }
    return ok(
      config.restateIdentityKeys.length > 0
        ? 'Workers answer only requests that the engine signed.'
        : `Workers listen on ${config.workerHost}, which only this machine reaches.`,
    )
  },
}

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
