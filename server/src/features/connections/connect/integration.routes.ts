import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { sendPage, wantsPage } from '../../../infra/http/send-page.ts'
import { servePrepared } from '../../../infra/http/serve-prepared.ts'
import { Problem } from '../../../infra/problem/problem.ts'
import { workspaceName } from '../../workspaces/workspace-name.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { connectByPassword, signIn } from './connect-by-password.ts'
import type { ConnectFlowRow } from './connect-flow.store.ts'
import { finishConnect, takeConnect, type CallbackQuery } from './finish-connect.ts'
import { integrations } from './integrations.ts'
import { prepareConnect, startConnect } from './start-connect.ts'

/** Connecting accounts, outside of the API: the user gives consent on the platform's page, which redirects to the callback route. */
export const integrationRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  servePrepared(app, ctx, integrations.start, async ({ params, body }) => {
    const prepared = await prepareConnect(ctx, params.platform, body)
    return { fingerprint: null, store: (scope) => startConnect(scope, prepared, body), discard: async () => {} }
  })
  servePrepared(app, ctx, integrations.password, async ({ params, body }) => {
    const verified = await signIn(ctx, params.platform, body)
    return {
      fingerprint: null,
      store: (scope) => connectByPassword(scope, verified, { ...body, hooks }),
      discard: async () => {},
    }
  })
  app.get('/integrations/:platform/callback', async (request, reply) => {
    const { platform } = request.params as { platform: string }
    const query = readQuery(request)
    let flow: ConnectFlowRow | null = null
    try {
      flow = await takeConnect(ctx, { platform, state: query.state, cookies: request.headers.cookie })
      const connection = await finishConnect(ctx, flow, { query, traceId: request.id, hooks })
      if (flow.return_to !== null) return reply.redirect(withParameter(flow.return_to, 'connected', connection.slug), 303)
      if (!wantsPage(request)) return { success: true, data: connection }
      const workspace = await workspaceName(ctx.db.system, flow.workspace_id)
      const paragraphs = [`“${workspace}” can publish as ${connection.handle} now. You can close this page.`]
      return sendPage(reply, { title: 'Connected', paragraphs })
    } catch (error) {
      return answerFailure(request, reply, { error, returnTo: flow?.return_to ?? null })
    }
  })
}

function answerFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, returnTo }: { error: unknown; returnTo: string | null },
): FastifyReply {
  if (!(error instanceof Problem)) throw error
  if (returnTo === null && !wantsPage(request)) throw error
  request.log.info({ code: error.code, cause: error.cause }, 'connecting failed')
  if (returnTo !== null) return reply.redirect(withParameter(returnTo, 'connectError', error.code), 303)
  return sendPage(reply, { title: 'Not connected', paragraphs: [error.message] }, error.status)
}

/** Ignores a parameter that is repeated or too long: no platform sends one. */
function readQuery(request: FastifyRequest): CallbackQuery {
  const given = request.query as Record<string, unknown>
  return Object.fromEntries(
    ['state', 'code', 'error', 'error_description'].flatMap((name) => {
      const value = given[name]
      return typeof value === 'string' && value.length <= 4000 ? [[name, value]] : []
    }),
  )
}

function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://here')
  url.searchParams.set(name, value)
  return url.pathname + url.search + url.hash
}
