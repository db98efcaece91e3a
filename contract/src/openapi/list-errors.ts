import type { Endpoint } from '../endpoint.ts'
import { requestErrors, type ErrorCode } from '../errors.ts'

const always: readonly ErrorCode[] = [
  'bad_request',
  'api_key_missing',
  'api_key_invalid',
  'scope_missing',
  'request_invalid',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const withHeader: readonly ErrorCode[] = ['workspace_header_missing', 'workspace_not_found']
const withBody: readonly ErrorCode[] = ['malformed_json', 'body_too_large', 'media_type_unsupported']
const withIdempotency: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused']

/** Every code an endpoint can answer with: its own, and those that come from what it is. */
export function listErrors(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...always, ...endpoint.errors])
  if (endpoint.workspace === 'header') add(codes, withHeader)
  if (endpoint.workspace === 'path') codes.add('workspace_not_found')
  // Everybody in a workspace is at least a viewer.
  if (endpoint.role !== 'viewer') codes.add('role_forbidden')
  if (endpoint.body ?? endpoint.form) add(codes, withBody)
  if (isIdempotent(endpoint)) add(codes, withIdempotency)
  return [...codes].toSorted((a, b) => requestErrors[a].status - requestErrors[b].status || (a < b ? -1 : 1))
}

/** Does it take an Idempotency-Key? */
export function isIdempotent({ method }: Endpoint): boolean {
  return method === 'POST' || method === 'PATCH'
}

function add(codes: Set<ErrorCode>, more: readonly ErrorCode[]): void {
  for (const code of more) codes.add(code)
}
