import type { Endpoint } from '../endpoint.ts'
import { requestErrors, type ErrorCode } from '../errors.ts'
import { listErrors } from './list-errors.ts'
import { responseHeaders } from './headers.ts'
import type { JsonObject } from './json.ts'

/** The refusals of an endpoint by status, as references: most endpoints share them. */
export function referenceErrorResponses(endpoint: Endpoint): JsonObject {
  return Object.fromEntries(
    [...groups(endpoint)].map(([status, codes]) => [String(status), { $ref: `#/components/responses/${nameOf(codes)}` }]),
  )
}

/** Every refusal that some endpoint refers to, written out once. */
export function renderErrorResponses(endpoints: readonly Endpoint[]): JsonObject {
  const all = endpoints.flatMap((endpoint) => [...groups(endpoint).values()])
  const byName = new Map(all.map((codes) => [nameOf(codes), failure(codes)]))
  return Object.fromEntries([...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function groups(endpoint: Endpoint): Map<number, ErrorCode[]> {
  return Map.groupBy(listErrors(endpoint), (code) => requestErrors[code].status)
}

/** A response is named by the codes it can carry. */
function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('.')
}

function failure(codes: readonly ErrorCode[]): JsonObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${requestErrors[code].message}`).join('\n\n'),
    headers: responseHeaders({ isIdempotent: false, mayWait: codes.some(tellsWhen) }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnswer' }, examples } },
  }
}

/** Does the answer say how long to wait? A fault of our own does not: nobody knows. */
function tellsWhen(code: ErrorCode): boolean {
  const { retryable, action } = requestErrors[code]
  return retryable && (action === 'wait' || action === 'retry')
}
