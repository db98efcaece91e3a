import { createServer, type ServerResponse } from 'node:http'
import type { RenderedMetrics } from '../metrics/render-metrics.ts'
import type { Health } from './check-health.ts'

type HealthPort = {
  host: string
  port: number
  /** By path, such as `/health/live`. */
  checks: Readonly<Record<string, () => Health | Promise<Health>>>
  renderMetrics(): Promise<RenderedMetrics>
}

/** Serves health checks and metrics on a private port. Returns how to close it. */
export async function openHealthPort({ host, port, checks, renderMetrics }: HealthPort): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/metrics') return void answerMetrics(renderMetrics, response)
    const check = checks[request.url ?? '']
    if (request.method !== 'GET' || !check) return answer(response, 404, { status: 'not_found' })
    void Promise.resolve(check()).then(({ isHealthy, body }) => answer(response, isHealthy ? 200 : 503, body))
  })
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

async function answerMetrics(renderMetrics: HealthPort['renderMetrics'], response: ServerResponse): Promise<void> {
  const { contentType, text } = await renderMetrics()
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
}

function answer(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}
