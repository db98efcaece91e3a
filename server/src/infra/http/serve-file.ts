import { Readable } from 'node:stream'
import type { Endpoint } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { buildCall, type WaitingCall } from './request-scope.ts'
import { route } from './route.ts'

/** A text file that is generated while it is sent. The name needs no escaping: it has only letters, digits, dots and dashes. */
export type File = { name: string; chunks: AsyncIterable<string> }

/** `serve` for an endpoint that answers with a file. Its handler only reads, and opens short transactions itself. */
export function serveFile<E extends Endpoint>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: E,
  handle: (call: WaitingCall<E>) => Promise<File>,
): void {
  const { produces } = endpoint
  if (!produces || endpoint.audit !== null) throw new Error(`${endpoint.id} does not answer with a file, or changes something`)
  route(app, endpoint, async ({ request, principal }, reply) => {
    const { name, chunks } = await handle(buildCall<E>(ctx, request, principal))
    return reply
      .header('content-type', `${produces}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(chunks))
  })
}
