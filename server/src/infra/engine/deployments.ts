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
export function normalUrl(url: string): string {
  return url.replace(/\/$/, '')
}
