import { readConfig } from '../config.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { countOpenRuns, listDeployments, type Deployment } from '../infra/engine/deployments.ts'

export const workersCommand = defineCommand({
  details:
    'Lists the addresses of workers that the engine knows, one for each release: which of them gets new work, and how many runs that began ' +
    'at each have not ended. Workers of an earlier release may be stopped when their address has no open runs. Addresses that are not used ' +
    'any more disappear by themselves.',
  options: {},
  run: () => listAddresses(readConfig().restateAdminUrl),
  present: ({ addresses }) =>
    addresses.length === 0
      ? 'The engine knows no workers. Start one with "carillon serve --role worker".'
      : addresses.map(describeAddress).join('\n'),
})

type Address = Pick<Deployment, 'url' | 'isCurrent'> & { openRuns: number }

async function listAddresses(adminUrl: string): Promise<{ addresses: Address[] }> {
  const deployments = await listDeployments(adminUrl)
  const openRuns = await countOpenRuns(adminUrl)
  return { addresses: deployments.map(({ id, url, isCurrent }) => ({ url, isCurrent, openRuns: openRuns.get(id) ?? 0 })) }
}

function describeAddress({ url, isCurrent, openRuns }: Address): string {
  const runs = openRuns === 1 ? '1 open run' : `${openRuns} open runs`
  if (isCurrent) return `${url}: gets new work, ${runs}.`
  return `${url}: gets no new work, ${runs}. ${openRuns === 0 ? 'Its workers may be stopped.' : 'Its workers must go on until these end.'}`
}
