import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { problem } from '../problem/problem.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser sends its cookies whoever made it ask, but it also says whose page that was: only our own may change anything. */
export function guardOrigin(config: Config, request: FastifyRequest): void {
  if (safeMethods.has(request.method)) return
  if (request.headers.origin !== new URL(config.publicUrl).origin) throw problem('origin_refused')
}
