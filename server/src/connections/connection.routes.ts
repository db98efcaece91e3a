import { workspaces } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { serve } from '../http/serve.ts'
import { servePrepared } from '../http/serve-prepared.ts'
import { chooseTarget } from './choose-target.ts'
import { describeConnections } from './describe-connections.ts'
import { disconnect } from './disconnect.ts'
import { askToRevoke, revoke } from './revoke-permission.ts'

export function connectionRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, workspaces.connections, (call) => describeConnections(call))
  serve(app, ctx, workspaces.disconnect, (call) => disconnect(call, call.params.connId))
  serve(app, ctx, workspaces.chooseTarget, (call) => chooseTarget(call, call.params.connId, call.body.targetId))
  // The platform is asked before the transaction: nobody else waits for its answer.
  servePrepared(app, ctx, workspaces.revoke, async ({ principal, params }) => {
    const told = await askToRevoke(ctx, principal.workspaceId, params.connId)
    return { fingerprint: null, store: (asked) => revoke(asked, params.connId, told), discard: async () => {} }
  })
}
