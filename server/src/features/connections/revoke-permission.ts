import { PlatformError, revokeCredentials } from '@carillon/connectors'
import type { ReturnsOf, workspaces } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { findConnection } from './connection.store.ts'
import { removeConnection, type ConnectionHooks } from './disconnect.ts'
import { findApp } from './connect/find-app.ts'
import { openClient } from './open-client.ts'

export type Revocation = ReturnsOf<typeof workspaces.revoke>

/** Asks the platform to revoke our tokens, if it has an endpoint for that. Null if there is no such connection. */
export async function revokePermission(ctx: Context, workspaceId: string, id: string): Promise<Revocation | null> {
  const row = await ctx.db.tenant(workspaceId, (tx) => findConnection(tx, workspaceId, id))
  if (!row) return null
  const byHand = byHandOf(ctx)
  const { connector, client } = openClient(ctx, row)
  const { auth, manifest } = connector
  if (auth.kind !== 'oauth2' || auth.revokeUrl === null)
    return notRevoked(`${manifest.name} does not let us revoke the permission; ${byHand}`)
  const app = await findApp(ctx, connector, row.instance_url, row.client_id)
  if (!app) return notRevoked(`Without a developer app we cannot ask ${manifest.name} to revoke the permission; ${byHand}`)
  try {
    await revokeCredentials(auth, client.http, app, client.credentials)
    return { revoked: true, reason: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    ctx.log.info({ err: error, connection: row.slug }, 'the platform did not revoke the permission')
    return notRevoked(`${error.message} To be sure, ${byHand}`)
  }
}

/** Removes the connection, whether or not the platform revoked the permission, and cancels the posts that are scheduled on it. */
export async function removeAfterRevocation(
  scope: RequestScope,
  id: string,
  { revocation, hooks }: { revocation: Revocation | null; hooks: ConnectionHooks },
): Promise<Answer<Revocation>> {
  await removeConnection(scope, id, hooks)
  return new Answer(
    revocation ?? notRevoked(`The platform was not asked, because the connection was only just added; ${byHandOf(scope.ctx)}`),
    {
      subjectId: id,
    },
  )
}

function byHandOf({ config }: Pick<Context, 'config'>): string {
  return `remove ${config.operator.name} in the account’s own settings there.`
}

function notRevoked(reason: string): Revocation {
  return { revoked: false, reason }
}
