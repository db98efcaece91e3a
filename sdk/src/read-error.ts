import { CarillonError } from './carillon-error.ts'
import type { components } from './schema.gen.ts'

type ErrorBody = components['schemas']['Error']

/** Turns an error response into a CarillonError. A response that does not come from Carillon gives the code `answer_unreadable`. */
export function readError(response: Response, body: unknown): CarillonError {
  const { status } = response
  const error = findError(body)
  const retryAfterSeconds = readRetryAfter(response.headers.get('Retry-After'))
  if (!error) return unreadableError(response, retryAfterSeconds)
  const { code, message, action, retryable, details = [], current = null, docUrl, traceId } = error
  return new CarillonError({ code, message, status, action, retryable, details, current, docUrl, traceId, retryAfterSeconds })
}

/** Reads the header in both of its forms: a number of seconds or an HTTP date. */
function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null
  if (/^\d+(?:\.\d+)?$/.test(header.trim())) return Number(header)
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

function unreadableError({ status, headers }: Response, retryAfterSeconds: number | null): CarillonError {
  const isServerProblem = status >= 500 || status === 429
  return new CarillonError({
    code: 'answer_unreadable',
    message: `The response (HTTP ${status}) does not come from Carillon. Is there a proxy in between, or is the /api missing in baseUrl?`,
    status,
    action: isServerProblem ? 'retry' : 'fix_request',
    retryable: isServerProblem,
    traceId: headers.get('X-Request-Id'),
    retryAfterSeconds,
  })
}

function findError(body: unknown): ErrorBody | null {
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
