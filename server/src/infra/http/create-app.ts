import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Context } from '../../context.ts'
import { measureRequests } from '../metrics/measure-requests.ts'
import { problem } from '../problem/problem.ts'
import { rateLimitHeaders } from '../rate-limit/create-rate-limiter.ts'
import { chooseRequestId, traceRequests } from '../tracing/trace-requests.ts'
import { answerError } from './answer-error.ts'
import { createBodyWatch } from './create-body-watch.ts'
import { type RequestLimits, createRequestLimits } from './create-request-limits.ts'
import { createErrorHandler } from './errors/create-error-handler.ts'
import { findForbidden, isTooDeep } from './find-forbidden.ts'
import type { HttpHooks } from './http-hooks.ts'
import { securityHeaders } from './send-page.ts'

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
  const limits = createRequestLimits(ctx, hooks)
  const onRequest = createOnRequest(ctx, limits)
  const app = Fastify({
    loggerInstance: logger,
    // Without a list of proxies no forwarded address is trusted: a caller could claim any address.
    trustProxy: ctx.config.trustedProxies.length > 0 && [...ctx.config.trustedProxies],
    // Fastify runs no hooks for a malformed URL.
    frameworkErrors: (reason, request, reply) => void answerBadUrl(onRequest, { reason, request, reply }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: chooseRequestId,
    bodyLimit: 1_000_000,
    // For bodies, the body watch has limits that suit large files.
    http: { headersTimeout: 30_000, connectionsCheckingInterval: 10_000 },
    routerOptions: { maxParamLength: 200 },
    // When the server stops, requests that are running are still answered. A client whose request was cut off might send it twice.
    forceCloseConnections: 'idle',
  })
  app.decorate('publicUrl', ctx.config.publicUrl)
  app.decorate('operator', ctx.config.operator)
  app.decorate('hooks', { ...hooks, findCaller: limits.findCaller })
  app.setErrorHandler(createErrorHandler(hooks))
  app.setNotFoundHandler(() => {
    throw problem('route_not_found')
  })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, readJson)
  traceRequests(app, ctx)
  const bodies = createBodyWatch(() => ctx.nowMs())
  app.addHook('onClose', async () => bodies.close())
  app.addHook('onRequest', (request, _reply, done) => {
    bodies.watch(request)
    done()
  })
  app.addHook('onRequest', onRequest)
  measureRequests(app, ctx)
  app.addHook('onSend', (request, reply, payload, done) => {
    addLimitHeaders(request, reply)
    const challenge = reply.statusCode === 401 ? hooks.challenge(request) : null
    if (challenge !== null) void reply.header('www-authenticate', challenge)
    done(null, payload)
  })
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

type OnRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Sets the headers of every answer and limits the requests of unknown callers. `route.ts` counts the others when it recognises them. */
function createOnRequest(ctx: Context, limits: RequestLimits): OnRequest {
  const headers = securityHeaders(ctx.config)
  const warnAboutProxy = createProxyWarning(ctx)
  return async (request, reply) => {
    void reply.headers(headers).header('x-request-id', request.id)
    warnAboutProxy(request)
    await limits.countUnknown(request)
    if (request.url.includes('%00'))
      throw problem('request_invalid', { details: [{ path: 'url', message: 'A NUL character cannot be accepted.' }] })
  }
}

type BadUrl = { reason: unknown; request: FastifyRequest; reply: FastifyReply }

async function answerBadUrl(onRequest: OnRequest, { reason, request, reply }: BadUrl): Promise<void> {
  let answered = reason
  try {
    await onRequest(request, reply)
  } catch (refused) {
    answered = refused
  }
  addLimitHeaders(request, reply)
  void answerError(answered, request, reply)
}

function addLimitHeaders({ rateLimit }: FastifyRequest, reply: FastifyReply): void {
  if (rateLimit) void reply.headers(rateLimitHeaders(rateLimit))
}

/**
 * Warns that all people behind a proxy share the limits by address, as long as CARILLON_TRUSTED_PROXIES does not name the proxy: at start
 * if the public address has HTTPS, which only a proxy can serve, and otherwise at the first request that a proxy has forwarded.
 */
export function createProxyWarning({ config: { trustedProxies, publicUrl }, log }: Context): (request: FastifyRequest) => void {
  let isDone = trustedProxies.length > 0
  const warn = (reason: string) => {
    isDone = true
    log.warn(
      { reason },
      'CARILLON_TRUSTED_PROXIES is not set: everyone behind the proxy counts as one address, and strangers can use up its limits',
    )
  }
  if (!isDone && publicUrl.startsWith('https:')) warn('the public address has https')
  return ({ headers }) => {
    if (!isDone && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined))
      warn('a request was forwarded by a proxy')
  }
}

/** Every body with a forbidden value matches this. Few bodies do, so the expensive search runs rarely. */
const suspicious = /\\u0000|__proto__|\\u005f|\\u[dD][89a-fA-F]/i

/** Parses a body; an empty one counts as no body. */
export function readJson(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const source = text.toString()
  if (source.trim() === '') return done(null, undefined)
  if (isTooDeep(source)) return done(refuse('body', 'The body is nested too deeply.'))
  let body: unknown
  try {
    body = JSON.parse(source)
  } catch (cause) {
    return done(problem('malformed_json', { cause }))
  }
  const path = suspicious.test(source) ? findForbidden(body) : null
  if (path !== null) return done(refuse(path || 'body', 'A NUL character, broken Unicode or a reserved name cannot be accepted.'))
  done(null, body)
}

function refuse(path: string, message: string): Error {
  return problem('request_invalid', { details: [{ path, message }] })
}
