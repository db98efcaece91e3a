import { createHash } from 'node:crypto'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
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
  const admit = admission(ctx)
  const app = Fastify({
    loggerInstance: logger,
    // Without a list nobody's word is taken: a caller could claim any address.
    trustProxy: ctx.config.trustedProxies.length > 0 && [...ctx.config.trustedProxies],
    // An address so broken that no hook runs.
    frameworkErrors: (error, request, reply) => {
      try {
        admit(request, reply)
        void answerError(error, request, reply)
      } catch (refused) {
        void answerError(refused, request, reply)
      }
    },
    logController: new LogController({ disableRequestLogging: true }),
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
  app.addHook('onRequest', async (request, reply) => admit(request, reply))
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

type Admit = (request: FastifyRequest, reply: FastifyReply) => void

/** What every answer carries, and who may ask at all: requests are counted by the key or session as sent, so guessing them is limited too. */
function admission(ctx: Context): Admit {
  const headers = securityHeaders(ctx.config)
  const byKey = createLimiter('key', ctx.config.requestsPerMinute)
  const byWorkspace = createLimiter('workspace', ctx.config.requestsPerMinute * 2)
  return (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id)
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
    if (request.url.includes('%00'))
      throw problem('request_invalid', { details: [{ path: 'url', message: 'A NUL character cannot be accepted.' }] })
  }
}
