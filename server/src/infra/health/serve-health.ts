import { createServer, type ServerResponse } from 'node:http'
import type { Context } from '../../context.ts'
import { renderMetrics, watchProcess } from '../metrics/render-metrics.ts'
import { checkAccepting, checkLive, checkReady, type Health } from './check-health.ts'
import { processState } from './process-state.ts'

const checks: Record<string, (ctx: Context) => Health | Promise<Health>> = {
  '/health/live': checkLive,
  '/health/accepting': checkAccepting,
  '/health/ready': checkReady,
}

/**
 * Serves the health checks and the metrics on a port of their own, in every role. A worker's other port speaks HTTP/2 only, which usual probes do not, and
 * the port of the API is public. Returns how to close it.
 */
export async function serveHealth(ctx: Context): Promise<() => Promise<void>> {
  const { healthHost: host, healthPort: port } = ctx.config
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/metrics') return void answerMetrics(ctx, response)
    const check = checks[request.url ?? '']
    if (request.method !== 'GET' || !check) return answer(response, 404, { status: 'not_found' })
    void Promise.resolve(check(ctx)).then(({ isHealthy, body }) => answer(response, isHealthy ? 200 : 503, body))
  })
  watchProcess(ctx)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise.catch((error: unknown) => {
    const message = `the health port ${host}:${port} cannot be opened; set CARILLON_HEALTH_PORT to a free port`
    throw new Error(message, { cause: error })
  })
  return async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

async function answerMetrics(ctx: Context, response: ServerResponse): Promise<void> {
  const { contentType, text } = await renderMetrics(ctx, processState(ctx))
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
}

function answer(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}
