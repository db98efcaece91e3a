import { Connection, endpoint } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { servePrepared } from '../../../infra/http/serve-prepared.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { connectSimulated, openSimulated, simulatedPlatforms } from './connect-simulated.ts'

const closed = { additionalProperties: false }

/** Only for trying Carillon out, so neither documented with the other endpoints for connecting accounts nor in the SDK. */
export const simulatedAccounts = endpoint({
  scope: 'workspaces:write',
  role: 'admin',
  workspace: 'header',
  errors: [],
  id: 'integrations.simulated',
  method: 'POST',
  path: '/integrations/simulated',
  summary: 'Connect an account on every simulated platform',
  body: Type.Object({}, closed),
  returns: Type.Array(Connection),
  ok: 201,
  audit: 'connection.connect',
})

/** "Try it with simulated accounts": which platforms are simulated here, and one request that connects them all. */
export const simulatedRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  app.get('/integrations/simulated', () => ({ success: true, data: { platforms: simulatedPlatforms(ctx) } }))
  servePrepared(app, ctx, simulatedAccounts, async ({ principal }) => {
    const accounts = await openSimulated(ctx, principal.workspaceId)
    return { fingerprint: null, store: (scope) => connectSimulated(scope, accounts, hooks), discard: async () => {} }
  })
}
