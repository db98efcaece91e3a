import { connectionsApi, workspaces, type BodyOf, type Connection } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { externalColumns, refuseTakenId } from '../../infra/db/external-columns.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { serve } from '../../infra/http/serve.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { problem } from '../../infra/problem/problem.ts'
import { serveWaiting } from '../../infra/http/serve-waiting.ts'
import { showCapabilities } from './capabilities/show-capabilities.ts'
import { chooseTarget } from './find-targets.ts'
import { findConnection, updateConnection } from './connection.store.ts'
import { describeConnection, describeConnections } from './present-connection.ts'
import { type ConnectionHooks, disconnect, removeAfterRevocation, revokePermission } from './disconnect.ts'

export const connectionRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  serve(app, ctx, workspaces.connections, (call) => describeConnections(call, call.query.externalId))
  serve(app, ctx, workspaces.updateConnection, (call) => changeConnection(call, call.params.connId, call.body))
  serve(app, ctx, workspaces.disconnect, (call) => disconnect(call, call.params.connId, hooks))
  serve(app, ctx, workspaces.chooseTarget, (call) => chooseTarget(call, call.params.connId, call.body.targetId))
  serveWaiting(app, ctx, connectionsApi.capabilities, ({ principal: { workspaceId }, params: { id } }) =>
    showCapabilities(ctx, { workspaceId, id }),
  )
  // The platform is called before the transaction starts, so that no database connection waits for its answer.
  servePrepared(app, ctx, workspaces.revoke, async ({ principal, params }) => {
    const revocation = await revokePermission(ctx, principal.workspaceId, params.connId)
    return {
      fingerprint: null,
      store: (scope) => removeAfterRevocation(scope, params.connId, { revocation, hooks }),
      discard: async () => {},
    }
  })
}

/** Changes what a client remembers about a connection. The account itself changes only on its platform. */
async function changeConnection(
  scope: RequestScope,
  id: string,
  change: BodyOf<typeof workspaces.updateConnection>,
): Promise<Answer<Connection>> {
  const { tx, nowMs } = scope
  const key = { workspaceId: scope.principal.workspaceId, id }
  await refuseTakenId(updateConnection(tx, key, { ...externalColumns(change), updated_at: new Date(nowMs) }))
  const row = await findConnection(tx, key.workspaceId, id)
  if (!row) throw problem('connection_not_found')
  return new Answer(await describeConnection(scope, row), { subjectId: id })
}
