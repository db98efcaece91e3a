import type { FastifyRequest } from 'fastify'
import { problem } from '../problem/problem.ts'
import { findForbidden, isTooDeep } from './find-forbidden.ts'

/** Every body with a forbidden value matches this. Few bodies do, so the expensive search runs rarely. */
const suspicious = /\\u0000|__proto__|\\u005f|\\u[dD][89a-fA-F]/i

/** Parses a body; an empty one counts as no body. */
export function readJson(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const source = text.toString()
  if (source.trim() === '') return done(null, undefined)
  if (isTooDeep(source)) return done(refuse('body', 'The body is nested too deeply.'))
  let body: unknown
  try {
    body = JSON.parse(source)
  } catch (cause) {
    return done(problem('malformed_json', { cause }))
  }
  const path = suspicious.test(source) ? findForbidden(body) : null
  if (path !== null) return done(refuse(path || 'body', 'A NUL character, broken Unicode or a reserved name cannot be accepted.'))
  done(null, body)
}

function refuse(path: string, message: string): Error {
  return problem('request_invalid', { details: [{ path, message }] })
}
