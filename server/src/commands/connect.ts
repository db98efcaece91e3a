import { text } from 'node:stream/consumers'
import { isPlatform } from '@carillon/contract'
import { readConfig, type Config } from '../config.ts'
import { addConnections, type NewConnection } from '../features/connections/add-connections.ts'
import { withTargets } from '../features/connections/find-targets.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { requiredText } from '../infra/command-line/option.ts'
import { StartError } from '../infra/problem/problem.ts'
import { openContext } from '../open-context.ts'

export const connectCommand = defineCommand({
  details:
    'Adds connections whose tokens are already known. It reads a JSON array from standard input; each entry has platform, handle, ' +
    'accountId and credentials.accessToken. It is meant for tests and imports: people connect accounts in the web app.',
  options: { workspace: requiredText({ placeholder: 'ID', about: 'The workspace that gets the connections.' }) },
  run: async ({ workspace }) => connect(readConfig(), { workspaceId: workspace, json: await text(process.stdin) }),
  present: (made) => made.map(({ platform, slug, id }) => `${platform}  ${slug}  ${id}`).join('\n'),
})

async function connect(config: Config, { workspaceId, json }: { workspaceId: string; json: string }) {
  const { ctx, close } = await openContext(config)
  try {
    const wanted = await Promise.all(parse(json).map((account) => withTargets(ctx, account)))
    return await addConnections(ctx, workspaceId, wanted)
  } finally {
    await close()
  }
}

function parse(json: string): NewConnection[] {
  const list = parseJson(json)
  if (!Array.isArray(list)) throw new StartError('Standard input must be a JSON array of connections.')
  return list.map((each: NewConnection) => {
    if (!isPlatform(each.platform)) throw new StartError(`"${String(each.platform)}" is not a platform.`)
    if (!each.handle || !each.accountId || !each.credentials?.accessToken)
      throw new StartError('Each connection needs handle, accountId and credentials.accessToken.')
    return each
  })
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
