import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { Pool } from 'undici'
import { type RouterConfig, readRouterConfig } from '../../config.ts'
import { defineCommand } from '../../infra/command-line/command.ts'
import { type Health, checkLive } from '../../infra/health/check-health.ts'
import { openHealthPort } from '../../infra/health/open-health-port.ts'
import { answerError } from '../../infra/http/answer-error.ts'
import { createBodyWatch } from '../../infra/http/create-body-watch.ts'
import { securityHeaders } from '../../infra/http/send-page.ts'
import { createLog } from '../../infra/log/create-log.ts'
import type { RenderedMetrics } from '../../infra/metrics/render-metrics.ts'
import { problem } from '../../infra/problem/problem.ts'
import { closeApp, stopOnSignal } from '../../infra/process/stop-on-signal.ts'
import { chooseRequestId } from '../../infra/tracing/trace-requests.ts'
import { forwardRequest } from './forward-request.ts'
import { type Router, createRouter } from './router.ts'

export const routerCommand = defineCommand({
  details:
    'Joins several installations (cells) behind one address: it sends each request to the cell that its ids, its API key or its cookie name. ' +
    'It has no database and no keys. CARILLON_ROUTER_CELLS names the cells, and each cell names the router in CARILLON_TRUSTED_PROXIES. It ' +
    'runs until it is stopped with Ctrl-C or SIGTERM, and then finishes what is running. docs/guides/cells.md describes the whole set-up.',
  options: {},
  run: () => route(readRouterConfig()),
  present: () => null,
})

async function route(config: RouterConfig): Promise<void> {
  const router = createRouter(config, createLog(config.logLevel))
  const app = createRouterApp(router)
  const closeHealth = await openHealthPort({
    host: config.healthHost,
    port: config.healthPort,
    checks: {
      '/health/live': checkLive,
      '/health/accepting': () => checkRouterAccepting(router),
      '/health/ready': () => checkRouterReady(router),
    },
    renderMetrics: () => renderRouterMetrics(router),
  })
  const stop = async () => {
    await closeApp(app)
    await closeHealth()
    await router.close()
  }
  stopOnSignal({ log: router.log, state: router.state, stop })
  await app.listen({ host: config.host, port: config.port })
  router.log.info({ port: config.port, cells: Object.fromEntries(config.cells) }, 'the router is up')
}

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

/** Shorter than the timeout of a usual probe, so that the answer names the cell. */
const cellMs = 4_000

/** The router can accept requests. It says nothing about the cells: other routers would not reach them either. */
function checkRouterAccepting({ state }: Router): Health {
  const problems = state.isDraining ? ['This process is stopping.'] : []
  const isHealthy = problems.length === 0
  return { isHealthy, body: { status: isHealthy ? 'accepting' : 'not_accepting', problems } }
}

/** Every cell is ready. For alerts. */
async function checkRouterReady(router: Router): Promise<Health> {
  const cells = await checkCells(router)
  const problems = [
    ...(router.state.isDraining ? ['This process is stopping.'] : []),
    ...Object.entries(cells).flatMap(([cell, status]) => (status === 'ready' ? [] : [`Cell ${cell} is ${words[status]}.`])),
  ]
  const isHealthy = problems.length === 0
  return { isHealthy, body: { status: isHealthy ? 'ready' : 'not_ready', problems, cells } }
}

export async function renderRouterMetrics(router: Router): Promise<RenderedMetrics> {
  const { metrics, state, streams } = router
  for (const [cell, status] of Object.entries(await checkCells(router))) metrics.cellUp.set({ cell }, status === 'ready' ? 1 : 0)
  metrics.streams.set(streams.size)
  metrics.draining.set(state.isDraining ? 1 : 0)
  return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }
}

const words = { not_ready: 'not ready', unreachable: 'not reachable' } as const

type CellHealth = 'ready' | keyof typeof words

async function checkCells({ pools }: Router): Promise<Record<string, CellHealth>> {
  const checks = [...pools].map(async ([cell, pool]) => [String(cell), await checkCell(pool)] as const)
  return Object.fromEntries(await Promise.all(checks))
}

async function checkCell(pool: Pool): Promise<CellHealth> {
  try {
    const response = await pool.request({ method: 'GET', path: '/health/ready', signal: AbortSignal.timeout(cellMs) })
    await response.body.dump()
    return response.statusCode === 200 ? 'ready' : 'not_ready'
  } catch {
    return 'unreachable'
  }
}
