import type { FastifyRequest } from 'fastify'
import { problem } from '../problem/problem.ts'
import { findForbidden, isTooDeep } from './find-forbidden.ts'

/** What a body with anything forbidden in it must have somewhere in its text. Almost none has. */
const suspicious = /\\u0000|__proto__|\\u005f|\\u[dD][89a-fA-F]/i

/** Parses a body; an empty one is no body. */
export function readJson(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const source = text.toString()
  if (source.trim() === '') return done(null, undefined)
  if (isTooDeep(source)) return done(refuse('body', 'It is nested too deeply.'))
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
