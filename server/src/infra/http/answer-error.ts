import { requestErrors, type ErrorCode } from '@carillon/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problem, type Detail } from '../problem/problem.ts'
import { discardBody } from './create-body-watch.ts'

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyInstance {
    /** Where people reach this installation: it has a page for every error. */
    publicUrl: string
  }
}

/** Answers every error in one format. The log gets the original error; the caller gets only the problem's own text. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asProblem(error)
  if (refusal.status >= 500) request.log.error({ err: error, code: refusal.code, traceId: request.id }, 'request failed')
  else request.log.info({ code: refusal.code, details: refusal.details, traceId: request.id }, 'request refused')
  if (refusal.retryAfterSeconds !== undefined || refusal.status === 503)
    void reply.header('retry-after', String(refusal.retryAfterSeconds ?? 5))
  if (refusal.code === 'body_too_large') {
    // Fastify closes the connection at once. A client that is still sending would lose the response with it.
    void reply.removeHeader('connection')
    discardBody(request.raw)
  }
  return reply.status(refusal.status).send(errorBody(refusal, request))
}

function errorBody({ code, message, details, current }: Problem, { id: traceId, server }: FastifyRequest) {
  const { action, retryable } = requestErrors[code]
  return {
    success: false,
    error: {
      code,
      message,
      action,
      retryable,
      ...(details && { details: details.map(presentDetail) }),
      ...(current !== undefined && { current }),
      docUrl: `${server.publicUrl}/docs/errors/${code}`,
      traceId,
    },
  }
}

function presentDetail({ path, code = 'invalid', message, params = {} }: Detail) {
  return { path, code, message, params }
}

/** Errors that Fastify itself throws before a handler runs. */
const byFastifyCode: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
}

const databaseUnavailable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  // The disk is full, memory is used up, or all connections are: an operator mends it, and the same request works then.
  '53100',
  '53200',
  '53300',
  '08006',
  '08003',
  '08001',
])

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return problem('internal_error')
  const { code = '', statusCode }: Partial<FastifyError> = error
  const known = byFastifyCode[code]
  if (known) return problem(known)
  if (statusCode && statusCode >= 400 && statusCode < 500) return problem('bad_request', { cause: error })
  if (databaseUnavailable.has(code) || /Connection terminated|timeout exceeded when trying to connect/.test(error.message))
    return problem('unavailable', { cause: error })
  return problem('internal_error', { cause: error })
}
