import { createHash } from 'node:crypto'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { problem } from '../problem/problem.ts'
import { answerError } from './answer-error.ts'
import type { HttpHooks } from './http-hooks.ts'
import { readJson } from './read-json.ts'
import { rateLimitHeaders, createRateLimiter } from './create-rate-limiter.ts'
import { securityHeaders } from './security-headers.ts'

export type Routes = (app: FastifyInstance, ctx: Context) => void

type AppParts = {
  hooks: HttpHooks
  /** Routes below `/api`. */
  api: readonly Routes[]
  /** Routes at the root: pages, files, health. */
  root?: readonly Routes[]
}

/** Builds the HTTP application; the caller decides where it listens. */
export function createApp(ctx: Context, { hooks, api, root = [] }: AppParts): FastifyInstance {
  const logger: FastifyBaseLogger = ctx.log
  const onRequest = createOnRequest(ctx, hooks)
  const app = Fastify({
    loggerInstance: logger,
    // Without a list of proxies no forwarded address is trusted: a caller could claim any address.
    trustProxy: ctx.config.trustedProxies.length > 0 && [...ctx.config.trustedProxies],
    // Fastify runs no hooks for a malformed URL.
    frameworkErrors: (error, request, reply) => {
      try {
        onRequest(request, reply)
        void answerError(error, request, reply)
      } catch (refused) {
        void answerError(refused, request, reply)
      }
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newUuid,
    bodyLimit: 1_000_000,
    routerOptions: { maxParamLength: 200 },
    // When the server stops, requests that are running are still answered. A client whose request was cut off might send it twice.
    forceCloseConnections: 'idle',
  })
  app.decorate('hooks', hooks)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => {
    throw problem('route_not_found')
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, readJson)
  app.addHook('onRequest', async (request, reply) => onRequest(request, reply))
  for (const add of root) add(app, ctx)
  void app.register(
    (scoped, _options, done) => {
      for (const add of api) add(scoped, ctx)
      done()
    },
    { prefix: '/api' },
  )
  return app
}

type OnRequest = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Sets the headers of every answer and applies the rate limits. Requests are counted by the key or session as it was sent, before it is
 * checked, so that guessing keys is limited too.
 */
function createOnRequest(ctx: Context, hooks: HttpHooks): OnRequest {
  const headers = securityHeaders(ctx.config)
  const byKey = createRateLimiter('key', ctx.config.requestsPerMinute)
  const byWorkspace = createRateLimiter('workspace', ctx.config.requestsPerMinute * 2)
  return (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id)
    const { 'x-workspace-id': workspaceId } = request.headers
    const caller = hooks.claimedIdentity(request) ?? request.ip
    const key = byKey(createHash('sha1').update(caller).digest('base64'), ctx.nowMs())
    const workspace = typeof workspaceId === 'string' ? byWorkspace(workspaceId, ctx.nowMs()) : key
    const tighter = workspace.remaining < key.remaining ? workspace : key
    void reply.headers(rateLimitHeaders(tighter))
    if (tighter.exceeded)
      throw problem('rate_limited', {
        retryAfterSeconds: tighter.resetSeconds,
        message: `Too many requests; the next window starts in ${tighter.resetSeconds} s.`,
      })
    if (request.url.includes('%00'))
      throw problem('request_invalid', { details: [{ path: 'url', message: 'A NUL character cannot be accepted.' }] })
  }
}
