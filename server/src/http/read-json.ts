import type { FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

/** Parses a body; an empty one is no body. Refuses what PostgreSQL cannot store and keys that would reach a prototype. */
export function readJson(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const source = text.toString()
  if (source.trim() === '') return done(null, undefined)
  let body: unknown
  try {
    body = JSON.parse(source)
  } catch (cause) {
    return done(problem('malformed_json', { cause }))
  }
  // The cheap look first: almost no body has either.
  const suspect = source.includes('\\u0000') || source.includes('__proto__') || source.includes('\\u005f')
  const path = suspect ? findForbidden(body, '') : null
  if (path !== null)
    return done(
      problem('request_invalid', {
        details: [{ path: path || 'body', message: 'A NUL character or reserved name cannot be accepted.' }],
      }),
    )
  done(null, body)
}

function findForbidden(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (value === null || typeof value !== 'object') return null
  for (const [name, inner] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name
    if (name === '__proto__' || name.includes('\0')) return at
    const found = findForbidden(inner, at)
    if (found !== null) return found
  }
  return null
}
