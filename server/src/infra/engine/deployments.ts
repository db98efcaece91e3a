import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { StartError } from '../problem/problem.ts'
import { callAdmin } from './call-admin.ts'

/** An address of workers that the engine knows: all workers of one release have one. */
export type Deployment = {
  id: string
  url: string
  services: string[]
  /** New work of at least one service goes there. */
  isCurrent: boolean
}

type ListedDeployment = { id: string; uri?: string; services: { name: string }[] }
type ListedService = { name: string; deployment_id: string }

export async function listDeployments(adminUrl: string): Promise<Deployment[]> {
  const { deployments } = (await callAdmin(`${adminUrl}/deployments`)) as { deployments: ListedDeployment[] }
  const { services } = (await callAdmin(`${adminUrl}/services`)) as { services: ListedService[] }
  const current = new Set(services.map(({ deployment_id }) => deployment_id))
  return deployments.map(({ id, uri = '', services: own }) => ({
    id,
    url: normalUrl(uri),
    services: own.map(({ name }) => name),
    isCurrent: current.has(id),
  }))
}

/** Runs that have begun and not ended, by the id of the deployment on which they began. They end there, whatever was registered since. */
export async function countOpenRuns(adminUrl: string): Promise<Map<string, number>> {
  const query = `
    select pinned_deployment_id as id, count(*) as runs
    from sys_invocation
    where pinned_deployment_id is not null and status <> 'completed'
    group by pinned_deployment_id`
  const answer = await callAdmin(`${adminUrl}/query`, { method: 'POST', json: { query } })
  const { rows } = answer as { rows: { id: string; runs: number }[] }
  return new Map(rows.map(({ id, runs }) => [id, runs]))
}

/** The engine writes addresses with a slash at the end. */
function normalUrl(url: string): string {
  return url.replace(/\/$/, '')
}

const rememberedMs = 300_000

/**
 * Removes the addresses of earlier releases from the engine once everything that began there has ended. The engine keeps them for ever
 * otherwise. An address must have been without runs in the call before too: a part of the engine may learn a little later than another that
 * new work goes elsewhere. A call that was long ago says nothing, because other workers call too. Each call returns the addresses that it removed.
 */
export function createDeploymentRemover({ adminUrl, workerUrl }: Registration): () => Promise<string[]> {
  let drainedBefore = new Set<string>()
  let calledAtMs = -Infinity
  return async () => {
    const sinceMs = performance.now() - calledAtMs
    const drained = await findDrained(adminUrl, workerUrl)
    const removable = sinceMs > rememberedMs ? [] : drained.filter(({ id }) => drainedBefore.has(id))
    calledAtMs = performance.now()
    // Without `force` the engine refuses every removal.
    for (const { id } of removable) await callAdmin(`${adminUrl}/deployments/${id}?force=true`, { method: 'DELETE' })
    drainedBefore = new Set(drained.map(({ id }) => id))
    return removable.map(({ url }) => url)
  }
}

async function findDrained(adminUrl: string, workerUrl: string): Promise<Deployment[]> {
  const unused = findUnused(await listDeployments(adminUrl), workerUrl)
  // Counting reads every run of the engine, so it is left out when there is nothing to remove.
  if (unused.length === 0) return []
  const openRuns = await countOpenRuns(adminUrl)
  return unused.filter(({ id }) => !openRuns.has(id))
}

/**
 * Other addresses that get no new work. An engine may serve other applications too, so only addresses with our services and no others are
 * ours.
 */
export function findUnused(deployments: readonly Deployment[], workerUrl: string): Deployment[] {
  const own = deployments.find(({ url }) => url === normalUrl(workerUrl))
  if (!own?.isCurrent) return []
  return deployments.filter(
    ({ isCurrent, services }) => !isCurrent && services.length > 0 && services.every((name) => own.services.includes(name)),
  )
}

/** Where the engine is, and where it reaches the workers. */
type Registration = { adminUrl: string; workerUrl: string }

/**
 * Registers the address of the workers with the engine. True if the engine knew no worker before: it is new, or it lost its data and with
 * them every job that was enqueued.
 */
export async function registerWorker({ adminUrl, workerUrl }: Registration): Promise<boolean> {
  const known = await callAdmin(`${adminUrl}/deployments`)
  // The same address again is the same worker after a restart, possibly with newer code, so the engine has to read its handlers again.
  await callAdmin(`${adminUrl}/deployments`, { method: 'POST', json: { uri: workerUrl, force: true } })
  return isEmpty(known)
}

const attempts = 60

/** The same at start, when the engine may still be starting too. */
export async function registerWorkerWithRetries(registration: Registration, log: Logger): Promise<boolean> {
  for (let n = 1; ; n++) {
    try {
      return await registerWorker(registration)
    } catch (error) {
      if (n >= attempts) throw error
      log.debug({ err: error }, 'the engine does not accept the registration of this worker yet')
      await sleep(1000)
    }
  }
}

function isEmpty(answer: unknown): boolean {
  const { deployments } = answer as { deployments?: unknown[] }
  return deployments?.length === 0
}

/**
 * Throws if other machines could reach the worker's port and no key tells our engine from them. Another engine could otherwise register the
 * worker and run its handlers.
 */
export function checkWorkerHost({ workerHost, restateIdentityKeys }: Pick<Config, 'workerHost' | 'restateIdentityKeys'>): void {
  if (restateIdentityKeys.length > 0 || isLoopback(workerHost)) return
  throw new StartError(
    `CARILLON_WORKER_HOST is ${workerHost}, which other machines can reach, and RESTATE_IDENTITY_KEYS is not set: everything that reaches ` +
      `the port could start work. Give the engine a private key (request-identity-private-key-pem-file), set RESTATE_IDENTITY_KEYS to the ` +
      `public key that it writes to its log, and start again. Or let the worker listen on 127.0.0.1.`,
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
