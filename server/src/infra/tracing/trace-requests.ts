import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { type Span, parseTraceparent, requestIdOf, startSpan, traceIdOf, unsampledTraceparent } from './start-span.ts'

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    span: Span | null
  }
}

/** The id of a request is the id of its trace. A caller that is traced itself sends its own. */
export function chooseRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const context = parseTraceparent(headers['traceparent'])
  return context ? requestIdOf(context.traceId) : newUuid()
}

/** Records a span for each request, named by the template of its route. */
export function traceRequests(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, id } = request
    const route = request.routeOptions.url ?? 'unknown'
    // Probes would be most of the traces.
    if (!route.startsWith('/health/')) {
      const attributes = { 'http.request.method': method, 'http.route': route }
      const parent = parseTraceparent(request.headers['traceparent']) ? String(request.headers['traceparent']) : null
      request.span = startSpan(ctx, `${method} ${route}`, { kind: 'server', parent, traceId: traceIdOf(id), attributes })
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    request.span?.end({ attributes: { 'http.response.status_code': statusCode }, hasFailed: statusCode >= 500 })
    done()
  })
}

/** The context that work of this request continues. */
export function traceparentOf(request: FastifyRequest): string {
  return request.span?.traceparent ?? unsampledTraceparent(request.id)
}
