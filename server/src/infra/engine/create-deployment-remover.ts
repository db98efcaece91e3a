import { callAdmin } from './call-admin.ts'
import { countOpenRuns, listDeployments, normalUrl, type Deployment } from './deployments.ts'
import type { Registration } from './register-worker.ts'

/**
 * Removes the addresses of earlier releases from the engine once everything that began there has ended. The engine keeps them for ever
 * otherwise. An address must have been without runs in the call before too: a part of the engine may learn a little later than another that
 * new work goes elsewhere. Each call returns the addresses that it removed.
 */
export function createDeploymentRemover({ adminUrl, workerUrl }: Registration): () => Promise<string[]> {
  let drainedBefore = new Set<string>()
  return async () => {
    const drained = await findDrained(adminUrl, workerUrl)
    const removable = drained.filter(({ id }) => drainedBefore.has(id))
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
