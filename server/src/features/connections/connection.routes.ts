import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { changeConnection } from './change-connection.ts'
import { chooseTarget } from './choose-target.ts'
import { describeConnections } from './describe-connections.ts'
import { disconnect, type ConnectionHooks } from './disconnect.ts'
import { removeAfterRevocation, revokePermission } from './revoke-permission.ts'

export const connectionRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  serve(app, ctx, workspaces.connections, (call) => describeConnections(call, call.query.externalId))
  serve(app, ctx, workspaces.updateConnection, (call) => changeConnection(call, call.params.connId, call.body))
  serve(app, ctx, workspaces.disconnect, (call) => disconnect(call, call.params.connId, hooks))
  serve(app, ctx, workspaces.chooseTarget, (call) => chooseTarget(call, call.params.connId, call.body.targetId))
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
