import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../../../infra/problem/problem.ts'

export type FormPart = Multipart

/** Adds routes that accept multipart bodies, read part by part as they arrive. All other routes refuse them. */
export function withForms(app: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    // The size of a file is checked while it is written, so the parser has no limit for it. Fields are few and small.
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: Infinity, fieldSize: 1_000_000, fields: 100, files: 50, parts: 150, headerPairs: 50 },
    })
    add(scope)
  })
}

/** Yields the parts in the order in which they were sent. A file must be read to its end before the next part is available. */
export async function* readForm(request: FastifyRequest): AsyncGenerator<FormPart> {
  if (!request.isMultipart())
    throw problem('media_type_unsupported', { message: 'This content type is not understood here; send multipart/form-data.' })
  try {
    yield* request.parts()
  } catch (error) {
    throw isBadForm(error) ? problem('bad_request', { message: 'The form could not be read to its end.', cause: error }) : error
  }
}

function isBadForm(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return (code?.startsWith('FST_') ?? false) || /multipart|Unexpected end|Part terminated|boundary/i.test(error.message)
}
