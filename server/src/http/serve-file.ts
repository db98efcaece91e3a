import { Readable } from 'node:stream'
import type { Endpoint } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { problem } from '../problem.ts'
import { authenticate } from './authenticate.ts'
import type { WaitingCall } from './serve-waiting.ts'
import { validator } from './validate.ts'

/** A text file made while it is being sent. Its name is our own, of letters, digits, dots and dashes. */
export type File = { name: string; chunks: AsyncIterable<string> }

/** `serve` for an endpoint that answers with a file. It only reads, and opens the short transactions it needs by itself. */
export function serveFile<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  handle: (call: WaitingCall<E>) => Promise<File>,
): void {
  const { produces } = endpoint
  if (!produces || endpoint.audit !== null) throw new Error(`${endpoint.id} does not answer with a file, or changes something`)
  const checkParams = validator(endpoint.params, 'params')
  const checkQuery = validator(endpoint.query, 'query')
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    onRequest: async (request) => {
      request.principal = await authenticate(ctx, endpoint, request)
    },
    handler: async (request, reply) => {
      const { principal, params, query, body, id: traceId } = request
      if (!principal) throw problem('api_key_missing')
      checkParams(params)
      checkQuery(query)
      const call = { ctx, principal, nowMs: ctx.nowMs(), traceId, params, query, body }
      const { name, chunks } = await handle(call as unknown as WaitingCall<E>)
      return reply
        .header('content-type', `${produces}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .send(Readable.from(chunks))
    },
  })
}
