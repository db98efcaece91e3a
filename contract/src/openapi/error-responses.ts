import type { Endpoint } from '../endpoint.ts'
import { requestErrors, type ErrorCode } from '../errors.ts'
import { listErrors } from './list-errors.ts'
import { responseHeaders } from './headers.ts'
import type { JsonObject } from './json.ts'

/** The error responses of an endpoint by status. They are references, because most endpoints share them. */
export function referenceErrorResponses(endpoint: Endpoint): JsonObject {
  return Object.fromEntries(
    [...groupByStatus(endpoint)].map(([status, codes]) => [String(status), { $ref: `#/components/responses/${nameOf(codes)}` }]),
  )
}

/** Renders every error response that an endpoint refers to, once. */
export function renderErrorResponses(endpoints: readonly Endpoint[]): JsonObject {
  const all = endpoints.flatMap((endpoint) => [...groupByStatus(endpoint).values()])
  const byName = new Map(all.map((codes) => [nameOf(codes), renderErrorResponse(codes)]))
  return Object.fromEntries([...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function groupByStatus(endpoint: Endpoint): Map<number, ErrorCode[]> {
  return Map.groupBy(listErrors(endpoint), (code) => requestErrors[code].status)
}

/** The name of a response consists of its error codes. */
function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('.')
}

function renderErrorResponse(codes: readonly ErrorCode[]): JsonObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${requestErrors[code].message}`).join('\n\n'),
    headers: responseHeaders({ hasReplay: false, hasRetryAfter: codes.some(hasRetryAfter) }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnswer' }, examples } },
  }
}

/** Does the response have a Retry-After header? An internal error has none, because its duration is unknown. */
function hasRetryAfter(code: ErrorCode): boolean {
  const { retryable, action } = requestErrors[code]
  return retryable && (action === 'wait' || action === 'retry')
}
