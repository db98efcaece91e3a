import { createHash } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { newUuid } from '../ids.ts'
import { sessionCookie } from '../people/session-cookie.ts'
import { problem } from '../problem.ts'
import { answerError } from './answer-error.ts'
import { readJson } from './read-json.ts'
import { allowanceHeaders, createLimiter } from './rate-limit.ts'
import { securityHeaders } from './security-headers.ts'

export type Routes = (app: FastifyInstance, ctx: Context) => void

/** Builds the API; only main.ts listens. */
export function createApp(ctx: Context, routes: readonly Routes[], outside: readonly Routes[]): FastifyInstance {
  const logger: FastifyBaseLogger = ctx.log
  const headers = securityHeaders(ctx.config)
  const app = Fastify({
    loggerInstance: logger,
    // Without a list nobody's word is taken: a caller could claim any address.
    trustProxy: ctx.config.trustedProxies.length > 0 && [...ctx.config.trustedProxies],
    // An address so broken that no hook runs.
    frameworkErrors: (error, request, reply) => {
      void answerError(error, request, reply.headers(headers))
    },
    disableRequestLogging: true,
    genReqId: newUuid,
    bodyLimit: 1_000_000,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => {
    throw problem('route_not_found')
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, readJson)
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(headers)
  })
  limitRequests(app, ctx)
  for (const add of outside) add(app, ctx)
  void app.register(
    (api, _options, done) => {
      for (const add of routes) add(api, ctx)
      done()
    },
    { prefix: '/api' },
  )
  return app
}

/** Counts by the key or session as sent, before it is looked up: guessing them is limited too. */
function limitRequests(app: FastifyInstance, ctx: Context): void {
  const byKey = createLimiter('key', ctx.config.requestsPerMinute)
  const byWorkspace = createLimiter('workspace', ctx.config.requestsPerMinute * 2)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    if (request.url.includes('%00'))
      throw problem('request_invalid', { details: [{ path: 'url', message: 'A NUL character cannot be accepted.' }] })
    const { authorization, cookie, 'x-workspace-id': workspaceId } = request.headers
    const caller = authorization ?? sessionCookie(ctx.config, cookie) ?? request.ip
    const key = byKey(createHash('sha1').update(caller).digest('base64'), ctx.nowMs())
    const workspace = typeof workspaceId === 'string' ? byWorkspace(workspaceId, ctx.nowMs()) : key
    const tighter = workspace.remaining < key.remaining ? workspace : key
    void reply.headers(allowanceHeaders(tighter))
    if (tighter.exceeded)
      throw problem('rate_limited', {
        retryAfterSeconds: tighter.resetSeconds,
        message: `Too many requests; the next window starts in ${tighter.resetSeconds} s.`,
      })
  })
}
