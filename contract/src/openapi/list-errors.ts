import type { Endpoint } from '../endpoint.ts'
import { requestErrors, type ErrorCode } from '../errors.ts'

const commonErrors: readonly ErrorCode[] = [
  'bad_request',
  'api_key_missing',
  'api_key_invalid',
  'scope_missing',
  'request_invalid',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const workspaceHeaderErrors: readonly ErrorCode[] = ['workspace_header_missing', 'workspace_not_found']
const bodyErrors: readonly ErrorCode[] = ['malformed_json', 'body_too_large', 'media_type_unsupported']
const idempotencyErrors: readonly ErrorCode[] = ['idempotency_in_flight', 'idempotency_key_reused']

/** All error codes of an endpoint: its own, and those that follow from its method, body, role and workspace. */
export function listErrors(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...commonErrors, ...endpoint.errors])
  if (endpoint.workspace === 'header') addAll(codes, workspaceHeaderErrors)
  if (endpoint.workspace === 'path') codes.add('workspace_not_found')
  // Every member of a workspace is at least a viewer.
  if (endpoint.role !== 'viewer') codes.add('role_forbidden')
  if (endpoint.body ?? endpoint.form) addAll(codes, bodyErrors)
  if (acceptsIdempotencyKey(endpoint)) addAll(codes, idempotencyErrors)
  return [...codes].toSorted((a, b) => requestErrors[a].status - requestErrors[b].status || (a < b ? -1 : 1))
}

/** Does the endpoint accept an Idempotency-Key? */
export function acceptsIdempotencyKey({ method }: Endpoint): boolean {
  return method === 'POST' || method === 'PATCH'
}

function addAll(codes: Set<ErrorCode>, more: readonly ErrorCode[]): void {
  for (const code of more) codes.add(code)
}
