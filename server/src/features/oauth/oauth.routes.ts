import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem, Problem } from '../../infra/problem/problem.ts'
import { clientNetwork } from '../../infra/rate-limit/client-network.ts'
import { createRateLimiter, refuseExceeded } from '../../infra/rate-limit/create-rate-limiter.ts'
import { issueTokens, revokeToken } from './issue-tokens.ts'
import { OauthError } from './oauth-error.ts'
import { addFormParser, type Form } from './read-form.ts'
import { registerClient } from './register-client.ts'
import { resourceNames } from './rights.ts'
import { resourceMetadata, serverMetadata } from './server-metadata.ts'
import { startDevice } from './start-device.ts'

const requestsPerMinute = 300

/**
 * What programs call. The requests have no cookies that would be read, so they need no Origin; their number is limited by network. Nothing
 * here answers for a person: that is in consent.routes.ts.
 */
export function oauthRoutes(app: FastifyInstance, ctx: Context): void {
  const byNetwork = createRateLimiter(ctx, 'oauth', requestsPerMinute)
  void app.register((scope, _options, done) => {
    addFormParser(scope)
    scope.setErrorHandler(answerOauthError)
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
      const counted = await byNetwork.count(clientNetwork(request.ip))
      request.rateLimit = counted
      refuseExceeded(counted)
    })
    scope.post('/oauth/token', (request) => issueTokens(ctx, formOf(request), request.id))
    scope.post('/oauth/revoke', async (request, reply) => {
      await revokeToken(ctx, formOf(request), request.id)
      return reply.status(200).send()
    })
    scope.post('/oauth/device', (request) => startDevice(ctx, formOf(request), request.ip))
    scope.post('/oauth/register', async (request, reply) => {
      if (ctx.config.oauthRegistration === 'closed')
        throw new OauthError('access_denied', 'This installation registers no programs; use a client id metadata document.', 403)
      return reply.status(201).send(await registerClient(ctx, request.body, request.ip))
    })
    done()
  })

  // The documents exist only at the addresses with a path, so that holders of API keys are not taken for OAuth clients.
  app.get('/.well-known/oauth-authorization-server/oauth', () => serverMetadata(ctx.config))
  for (const name of resourceNames)
    app.get(`/.well-known/oauth-protected-resource/${name}`, () => resourceMetadata(ctx.config, name))
}

function formOf({ body }: FastifyRequest): Form {
  if (typeof body !== 'object' || body === null || Object.values(body).some((value) => typeof value !== 'string'))
    throw new OauthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.')
  return body as Form
}

/** Programs that speak OAuth read this form and not that of our API. */
function answerOauthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = error instanceof Problem || error instanceof OauthError ? error : asProblem(error)
  if (refusal.status >= 500 && refusal instanceof Problem)
    request.log.error({ err: error, traceId: request.id }, 'request failed')
  if (refusal instanceof Problem && refusal.retryAfterSeconds !== undefined)
    void reply.header('retry-after', String(refusal.retryAfterSeconds))
  const code = refusal instanceof OauthError ? refusal.code : codeOf(refusal.status)
  return reply.status(refusal.status).send({ error: code, error_description: refusal.message })
}

function asProblem(error: unknown): Problem {
  const { statusCode } = error as { statusCode?: number }
  return problem(statusCode !== undefined && statusCode < 500 ? 'bad_request' : 'internal_error', { cause: error })
}

function codeOf(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
