import { integrations } from '@carillon/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { withParameters } from '../../../infra/http/local-path.ts'
import { sendPage, wantsPage } from '../../../infra/http/send-page.ts'
import { servePrepared } from '../../../infra/http/serve-prepared.ts'
import { Problem } from '../../../infra/problem/problem.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { attemptRoutes, confirmPathOf } from './attempt.routes.ts'
import { connectByPassword, signIn } from './connect-by-password.ts'
import { ensureBrowser } from './connect-state.ts'
import { confirmSeconds, receiveCallback, type Attempt, type CallbackQuery } from './receive-callback.ts'
import { callbackUrl, platformOfCallback } from './find-app.ts'
import { prepareConnect, startConnect } from './start-connect.ts'

/**
 * Connecting accounts, outside of the API: the user gives consent on the platform's page, which redirects to the callback route. There the
 * account is read, and an admin of the workspace confirms it.
 */
export const integrationRoutes = (hooks: ConnectionHooks) => (app: FastifyInstance, ctx: Context) => {
  servePrepared(app, ctx, integrations.start, async ({ params, body, principal: { workspaceId } }) => {
    const prepared = await prepareConnect(ctx, { workspaceId, platform: params.platform }, body)
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
    const { platform: name } = request.params as { platform: string }
    const browserHash = ensureBrowser(ctx.config, request, reply, confirmSeconds)
    const { cookie: cookies } = request.headers
    // The platform compares the address of the callback with that of the exchange.
    const came = { platform: platformOfCallback(name) ?? name, redirectUrl: callbackUrl(ctx, name) }
    const callback = { ...came, query: readQuery(request), cookies, browserHash, traceId: request.id }
    const attempt = await receiveCallback(ctx, callback).catch(noAttempt)
    return attempt.failure === null ? sendOn(reply, attempt) : answerFailure(request, reply, attempt.failure, attempt)
  })
  attemptRoutes(hooks)(app, ctx)
}

/** The web app asks the person to confirm the account at the address where they started; otherwise our own page does. */
function sendOn(reply: FastifyReply, { id, returnTo }: Attempt): FastifyReply {
  return reply.redirect(returnTo === null ? confirmPathOf(id) : withParameters(returnTo, { attempt: id }), 303)
}

/** The callback belongs to no flow, or to one that is over. */
function noAttempt(error: unknown): Attempt {
  if (!(error instanceof Problem)) throw error
  return { id: '', returnTo: null, failure: error }
}

function answerFailure(request: FastifyRequest, reply: FastifyReply, failure: Problem, { id, returnTo }: Attempt): FastifyReply {
  request.log.info({ code: failure.code, cause: failure.cause }, 'connecting failed')
  if (returnTo !== null) return reply.redirect(withParameters(returnTo, { connectError: failure.code, attempt: id }), 303)
  if (!wantsPage(request)) throw failure
  return sendPage(reply, { title: 'Not connected', paragraphs: [failure.message] }, failure.status)
}

/** Ignores a parameter that is repeated or too long: no platform sends one. */
function readQuery(request: FastifyRequest): CallbackQuery {
  const given = request.query as Record<string, unknown>
  return Object.fromEntries(
    ['state', 'code', 'error', 'error_description', 'iss'].flatMap((name) => {
      const value = given[name]
      return typeof value === 'string' && value.length <= 4000 ? [[name, value]] : []
    }),
  )
}
