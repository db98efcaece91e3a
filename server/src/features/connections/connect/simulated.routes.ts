import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { servePrepared } from '../../../infra/http/serve-prepared.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { connectSimulated, openSimulated, simulatedPlatforms } from './connect-simulated.ts'
import { simulatedAccounts } from './simulated-accounts.ts'

/** "Try it with simulated accounts": which platforms are simulated here, and one request that connects them all. */
export const simulatedRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  app.get('/integrations/simulated', () => ({ success: true, data: { platforms: simulatedPlatforms(ctx) } }))
  servePrepared(app, ctx, simulatedAccounts, async ({ principal }) => {
    const accounts = await openSimulated(ctx, principal.workspaceId)
    return { fingerprint: null, store: (scope) => connectSimulated(scope, accounts, hooks), discard: async () => {} }
  })
}
