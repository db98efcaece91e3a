import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { getMetrics, statusClass } from './get-metrics.ts'

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Measures every request under the template of its route: the address itself contains ids. */
export function measureRequests(app: FastifyInstance, ctx: Context): void {
  const { requests } = getMetrics(ctx)
  app.addHook('onResponse', (request, reply, done) => {
    // A stream lasts as long as a page is open.
    if (!isStream(reply)) requests.observe(labelsOf(request, reply), reply.elapsedTime / 1000)
    done()
  })
}

function labelsOf(request: FastifyRequest, reply: FastifyReply) {
  const method = knownMethods.has(request.method) ? request.method : 'other'
  return { method, route: request.routeOptions.url ?? 'unknown', status: statusClass(reply.statusCode) }
}

function isStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')
}
