import type { Context } from '../../context.ts'
import type { NewConnection } from './connection-row.ts'
import { connectorOf, openHttp } from './open-client.ts'
import { findTargets } from './targets.ts'

/** Asks the platform which pages come with an account whose tokens are at hand, unless whoever brings it says so. */
export async function withTargets(ctx: Context, wanted: NewConnection): Promise<NewConnection> {
  if (wanted.targets !== undefined) return wanted
  const { platform, accountId: id, handle, displayName = handle, avatarUrl = null, instanceUrl = null, credentials } = wanted
  const connector = connectorOf(ctx, platform)
  const http = openHttp(ctx, connector, { instanceUrl, credentials })
  const account = { id, handle, displayName, avatarUrl }
  return { ...wanted, targets: await findTargets(connector, { http, account, credentials }, account) }
}
