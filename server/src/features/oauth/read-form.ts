import type { FastifyInstance } from 'fastify'
import { OauthError } from './oauth-error.ts'

export type Form = Readonly<Record<string, string>>

const bytesMax = 16_384

/** Forms, as pages and OAuth programs send them. A parameter that is given twice is refused: two readers could take two values. */
export function addFormParser(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bytesMax },
    (_request, text, done) => {
      const pairs = [...new URLSearchParams(text.toString())]
      const names = new Set(pairs.map(([name]) => name))
      if (names.size < pairs.length) return done(new OauthError('invalid_request', 'A parameter is given twice.'))
      if (text.includes('%00') || text.includes('\0'))
        return done(new OauthError('invalid_request', 'A NUL character cannot be accepted.'))
      done(null, Object.fromEntries(pairs))
    },
  )
}
