import { isPlatform } from '@carillon/contract'
import type { Config } from '../config.ts'
import { addConnections, type NewConnection } from '../features/connections/add-connections.ts'
import { withTargets } from '../features/connections/with-targets.ts'
import { openContext } from './open-context.ts'

/** Adds connections whose tokens are already known, read as JSON from standard input. It is meant for tests and imports. */
export async function connectCommand(config: Config, { workspaceId, json }: { workspaceId: string; json: string }) {
  const { ctx, close } = await openContext(config)
  try {
    const wanted = await Promise.all(parse(json).map((account) => withTargets(ctx, account)))
    return await addConnections(ctx, workspaceId, wanted)
  } finally {
    await close()
  }
}

function parse(json: string): NewConnection[] {
  const list: unknown = JSON.parse(json)
  if (!Array.isArray(list)) throw new Error('expected a JSON array of connections')
  return list.map((each: NewConnection) => {
    if (!isPlatform(each.platform)) throw new Error(`"${String(each.platform)}" is not a platform`)
    if (!each.handle || !each.accountId || !each.credentials?.accessToken)
      throw new Error('a connection needs handle, accountId and credentials.accessToken')
    return each
  })
}
