import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify'
import { checkLive, type Health } from '../../infra/health/check-health.ts'
import { answerError } from '../../infra/http/answer-error.ts'
import { createBodyWatch } from '../../infra/http/create-body-watch.ts'
import { securityHeaders } from '../../infra/http/security-headers.ts'
import { problem } from '../../infra/problem/problem.ts'
import { chooseRequestId } from '../../infra/tracing/trace-requests.ts'
import { checkRouterAccepting, checkRouterReady } from './check-router.ts'
import { forwardRequest } from './forward-request.ts'
import type { Router } from './router.ts'

/** Builds the HTTP application of a router; the caller decides where it listens. */
export function createRouterApp(router: Router): FastifyInstance {
  const logger: FastifyBaseLogger = router.log
  const { trustedProxies } = router.config
  const app = Fastify({
    loggerInstance: logger,
    // Without a list of proxies no forwarded address is trusted: a caller could claim any address.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    frameworkErrors: (error, request, reply) => void answerOwnError(router, { error, request, reply }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: chooseRequestId,
    http: { headersTimeout: 30_000, connectionsCheckingInterval: 10_000 },
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
  })
  app.decorate('publicUrl', router.config.publicUrl)
  app.setErrorHandler((error, request, reply) => answerOwnError(router, { error, request, reply }))
  app.setNotFoundHandler(() => {
    throw problem('route_not_found')
  })
  // The router never reads a body: it passes the bytes on as they arrive.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
  const bodies = createBodyWatch(Date.now)
  app.addHook('onClose', async () => bodies.close())
  app.addHook('preClose', async () => {
    // Streams would otherwise keep the server from closing. The pages connect again, to another router.
    for (const stream of router.streams) stream.destroy()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    bodies.watch(request)
    done()
  })
  addHealthRoutes(app, router)
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/*',
    handler: (request, reply) => forwardRequest(router, request, reply),
  })
  return app
}

/** A balancer in front asks about this process. The cells have health checks of their own. */
function addHealthRoutes(app: FastifyInstance, router: Router): void {
  const answer = (reply: FastifyReply, { isHealthy, body }: Health) => reply.status(isHealthy ? 200 : 503).send(body)
  app.get('/health/live', (_request, reply) => answer(reply, checkLive()))
  app.get('/health/accepting', (_request, reply) => answer(reply, checkRouterAccepting(router)))
  app.get('/health/ready', async (_request, reply) => answer(reply, await checkRouterReady(router)))
}

type Failed = { error: unknown; request: Parameters<typeof answerError>[1]; reply: FastifyReply }

function answerOwnError({ config }: Router, { error, request, reply }: Failed): FastifyReply {
  void reply.headers(securityHeaders(config)).header('x-request-id', request.id)
  return answerError(error, request, reply)
}
