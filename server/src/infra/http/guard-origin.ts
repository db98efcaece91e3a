import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { problem } from '../problem/problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Protects against CSRF: a browser sends cookies with requests of any site, so a request that changes something needs our Origin. */
export function guardOrigin(config: Config, request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return
  if (request.headers.origin !== new URL(config.publicUrl).origin) throw problem('origin_refused')
}
