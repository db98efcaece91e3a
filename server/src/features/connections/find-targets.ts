import { type Account, type Client, type Connector, PlatformError } from '@carillon/connectors'
import type { Connection } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { StoredTarget } from '../../infra/db/tables.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { learnCapabilities } from './capabilities/learn-capabilities.ts'
import type { NewConnection } from './connection-row.ts'
import { findConnection, updateConnection } from './connection.store.ts'
import { connectorOf } from './connector-of.ts'
import { describeConnection } from './present-connection.ts'
import { openHttp } from './open-client.ts'

/** The account that signed in and the pages that it manages. Null if there are no pages, so that there is nothing to choose. */
export async function findTargets({ auth }: Connector, { http }: Client, account: Account): Promise<StoredTarget[] | null> {
  if (auth.kind !== 'oauth2' || !auth.targets) return null
  const others = await auth.targets(http).catch((error: unknown) => {
    // Reading pages often needs a separate permission. Without it, the user can still publish to their own account.
    if (error instanceof PlatformError) return []
    throw error
  })
  const pages = others.filter(({ id }) => id !== account.id)
  return pages.length === 0 ? null : [targetOf(account, 'account'), ...pages.map((page) => targetOf(page, 'page'))]
}

/** The columns of a connection that say to which account or page it publishes. */
export function targetColumns({ id, handle, name, avatarUrl }: StoredTarget) {
  return { account_id: id, handle, display_name: name, avatar_url: avatarUrl }
}

export function targetOf({ id, handle, displayName, avatarUrl }: Account, kind: string): StoredTarget {
  return { id, handle, name: displayName, avatarUrl, kind }
}

/** Chooses the account or page that the connection publishes to, among those of its sign-in. Scheduled posts are published there too. */
export async function chooseTarget(scope: RequestScope, id: string, targetId: string): Promise<Answer<Connection>> {
  const { tx, nowMs } = scope
  const { workspaceId } = scope.principal
  const row = await findConnection(tx, workspaceId, id)
  if (!row) throw problem('connection_not_found')
  const target = row.targets?.find((each) => each.id === targetId)
  if (!target) {
    const choices = row.targets?.map((each) => each.id).join(', ')
    const message = choices ? `Must be one of ${choices}.` : 'This connection has only one account to publish to.'
    throw problem('target_unknown', { details: [{ path: 'targetId', message }] })
  }
  // The page may do other things than the account before it.
  const unknown = { capabilities: null, capabilities_at: null, capabilities_asked_at: null }
  const change = { ...targetColumns(target), ...unknown, updated_at: new Date(nowMs) }
  await updateConnection(tx, { workspaceId, id }, change)
  scope.afterCommit(() => learnCapabilities(scope.ctx, { workspaceId, id }))
  return new Answer(await describeConnection(scope, { ...row, ...change }), { subjectId: id })
}

/** Adds the pages that an account can publish to. The platform is asked for them, unless the caller has given them. */
export async function withTargets(ctx: Context, connection: NewConnection): Promise<NewConnection> {
  if (connection.targets !== undefined) return connection
  const { platform, accountId: id, handle, displayName = handle, avatarUrl = null, instanceUrl = null, credentials } = connection
  const connector = connectorOf(ctx, platform)
  const http = openHttp(ctx, connector, { instanceUrl, credentials })
  const account = { id, handle, displayName, avatarUrl }
  return { ...connection, targets: await findTargets(connector, { http, account, credentials }, account) }
}
