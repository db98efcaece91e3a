import { randomUUID } from 'node:crypto'
import { html, json, Refusal, type Reply } from '../../http/reply.ts'

/** Ghost's own types of errors, each with its status and its sentence. `code` is set for few of them. */
const known = {
  UnauthorizedError: [401, 'Invalid token'],
  NoPermissionError: [403, 'Authorization failed'],
  HostLimitError: [403, 'Custom integrations are not available on your plan. Please upgrade.'],
  NotFoundError: [404, 'Resource not found.'],
  BadRequestError: [400, 'The request could not be understood.'],
  UnsupportedMediaTypeError: [415, 'Please select a valid file.'],
  ValidationError: [422, 'Validation error, cannot save post.'],
  TooManyRequestsError: [429, 'Too many attempts.'],
  InternalServerError: [500, 'The server has encountered an error.'],
  MaintenanceError: [503, 'Site is currently undergoing maintenance, please wait a moment then retry.'],
} as const satisfies Record<string, readonly [number, string]>

type Details = { message?: string; context?: string; code?: string; property?: string }

export function refusal(type: keyof typeof known, details: Details = {}): Refusal {
  const [status, usual] = known[type]
  const { message = usual, context = null, code = null, property = null } = details
  const error = { message, context, type, details: null, property, help: null, code, id: randomUUID(), ghostErrorCode: null }
  return new Refusal(json(status, { errors: [error] }))
}

/** A field that the database or the schema of the API does not take. */
export function invalid(field: string, why: string): Refusal {
  return refusal('ValidationError', { context: `Value in [posts.${field}] ${why}.`, property: field })
}

/** What Ghost answers itself. The server in front of it answers with a page. */
export function failure(status: number, retryAfterSeconds?: number): Reply {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  if (status === 401) return refusal('UnauthorizedError', { code: 'INVALID_JWT' }).reply
  const type = (Object.keys(known) as (keyof typeof known)[]).find((each) => known[each][0] === status)
  const reply = type ? refusal(type).reply : html(status, `<html><head><title>${status}</title></head><body>nginx</body></html>`)
  return { ...reply, headers: { ...reply.headers, ...wait } }
}

/** The server in front of Ghost refuses large bodies before Ghost sees them. */
export function tooLarge(): Refusal {
  return new Refusal(html(413, '<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>'))
}
