import { PlatformError, revokeCredentials } from '@carillon/connectors'
import type { ReturnsOf, workspaces } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { findAppOf } from './connect/find-app.ts'
import {
  type ReconnectReason,
  deleteConnection,
  findConnection,
  markDisconnected,
  markNeedsReconnect,
} from './connection.store.ts'
import type { ConnectionKey } from './jobs.ts'
import { openClient } from './open-client.ts'

/** The part of a request that a removal needs. A platform that asks for one sends no request of a member. */
export type RemovalScope = Pick<RequestScope, 'tx' | 'nowMs'> & { principal: Pick<RequestScope['principal'], 'workspaceId'> }

/** What other features do when a connection is removed or connected again, in the same transaction. The program passes it in. */
export type ConnectionHooks = {
  beforeRemoval(scope: RemovalScope, connectionId: string): Promise<void>
  afterReconnect(tx: Tx, connection: ConnectionKey): Promise<void>
}

/**
 * Removes a connection and cancels what was scheduled on it, in one transaction: nothing is sent after the answer. For clients it is gone.
 * Its credentials are kept until it is known what became of the channels that are being sent at this moment; see `sweepDisconnected`.
 */
export async function disconnect(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<Answer<null>> {
  await closeConnection(scope, id, hooks)
  return new Answer(null, { subjectId: id })
}

/** Removes a connection together with its credentials. What is being sent on it at this moment ends unconfirmed. */
async function removeConnection(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<void> {
  await closeConnection(scope, id, hooks)
  await deleteConnection(scope.tx, scope.principal.workspaceId, id)
}

async function closeConnection(scope: RequestScope, id: string, hooks: ConnectionHooks): Promise<void> {
  const { workspaceId } = scope.principal
  if (!(await markDisconnected(scope.tx, { workspaceId, id }, new Date(scope.nowMs)))) throw problem('connection_not_found')
  await hooks.beforeRemoval(scope, id)
}

type Revocation = ReturnsOf<typeof workspaces.revoke>

/** Asks the platform to revoke our tokens, if it has an endpoint for that. Null if there is no such connection. */
export async function revokePermission(ctx: Context, workspaceId: string, id: string): Promise<Revocation | null> {
  const row = await ctx.db.tenant(workspaceId, (tx) => findConnection(tx, workspaceId, id))
  if (!row) return null
  const byHand = byHandOf(ctx)
  const { connector, client } = openClient(ctx, row)
  const { auth, manifest } = connector
  if (auth.kind !== 'oauth2' || auth.revokeUrl === null)
    return notRevoked(`${manifest.name} does not let us revoke the permission; ${byHand}`)
  const app = await findAppOf(ctx, connector, row)
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

/**
 * Marks a connection whose permission the platform no longer accepts; only the account's owner can give a new one. The event is recorded
 * once, even if many posts fail for this reason. With `tokenRenewedAtMs`, a connection that has had a new token since then is left alone.
 * True if this call marked the connection; `alsoRecord` then runs in the same transaction.
 */
export async function requestReconnect(
  ctx: Context,
  key: { workspaceId: string; id: string; tokenRenewedAtMs?: number },
  why: ReconnectReason,
  alsoRecord: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await markNeedsReconnect(tx, key, why))) return false
    await recordEvents(tx, [
      { workspaceId: key.workspaceId, event: 'connection.needs_reconnect', connectionId: key.id, atMs: ctx.nowMs() },
    ])
    await alsoRecord(tx)
    return true
  })
}
