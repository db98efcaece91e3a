import { Readable } from 'node:stream'
import type { Endpoint } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { type WaitingCall, buildCall } from './request-scope.ts'
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

const dayMs = 86_400_000

/** The exclusive end of a range in a query: a date includes its whole UTC day, an instant only itself. */
export function rangeEnd(to: string): Date {
  const start = new Date(to)
  return /^\d{4}-\d\d-\d\d$/.test(to) ? new Date(start.getTime() + dayMs) : new Date(start.getTime() + 1)
}
