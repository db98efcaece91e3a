import type { Context } from '../../context.ts'
import type { NewConnection } from './connection-row.ts'
import { connectorOf } from './connector-of.ts'
import { openHttp } from './open-client.ts'
import { findTargets } from './find-targets.ts'

/** Adds the pages that an account can publish to. The platform is asked for them, unless the caller has given them. */
export async function withTargets(ctx: Context, connection: NewConnection): Promise<NewConnection> {
  if (connection.targets !== undefined) return connection
  const { platform, accountId: id, handle, displayName = handle, avatarUrl = null, instanceUrl = null, credentials } = connection
  const connector = connectorOf(ctx, platform)
  const http = openHttp(ctx, connector, { instanceUrl, credentials })
  const account = { id, handle, displayName, avatarUrl }
  return { ...connection, targets: await findTargets(connector, { http, account, credentials }, account) }
}
