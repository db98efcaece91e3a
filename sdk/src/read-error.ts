import { CarillonError } from './carillon-error.ts'
import type { components } from './schema.gen.ts'

type ErrorBody = components['schemas']['Error']

/** Turns an answer that is no success into an error; an answer that is not the service's own still gives a useful one. */
export function readError(response: Response, body: unknown): CarillonError {
  const { status } = response
  const error = errorIn(body)
  const retryAfterSeconds = readRetryAfter(response.headers.get('Retry-After'))
  if (!error) return unreadable(response, retryAfterSeconds)
  const { code, message, action, retryable, details = [], docUrl, traceId } = error
  return new CarillonError({ code, message, status, action, retryable, details, docUrl, traceId, retryAfterSeconds })
}

/** Seconds, or a date as HTTP writes it. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null
  if (/^\d+(?:\.\d+)?$/.test(header.trim())) return Number(header)
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

function unreadable({ status, headers }: Response, retryAfterSeconds: number | null): CarillonError {
  const isTheirs = status >= 500 || status === 429
  return new CarillonError({
    code: 'answer_unreadable',
    message: `The answer (HTTP ${status}) is not one of Carillon's; is something between you and it, or is baseUrl missing its /api?`,
    status,
    action: isTheirs ? 'retry' : 'fix_request',
    retryable: isTheirs,
    traceId: headers.get('X-Request-Id'),
    retryAfterSeconds,
  })
}

function errorIn(body: unknown): ErrorBody | null {
  if (!isObject(body) || !isObject(body['error'])) return null
  const { error } = body
  return isErrorBody(error) ? error : null
}

function isErrorBody(value: unknown): value is ErrorBody {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
