import type { JsonObject } from './json.ts'

const textHeader = (description: string, example: string): JsonObject => ({ description, schema: { type: 'string' }, example })
const integerHeader = (description: string, example: number): JsonObject => ({
  description,
  schema: { type: 'integer' },
  example,
})

/** All documented response headers, by name. */
export const headers: JsonObject = {
  'X-Request-Id': textHeader(
    'The id of this request in the log; the same as `error.traceId`',
    '019a8400-7a51-7c1e-9a7e-5a3a6a0d6c11',
  ),
  RateLimit: textHeader(
    'The stricter of the two limits: `r` requests left, `t` seconds until the window resets',
    '"key";r=598;t=42',
  ),
  'RateLimit-Policy': textHeader('The limit: `q` requests in `w` seconds', '"key";q=600;w=60'),
  'X-RateLimit-Limit': integerHeader('Requests per window', 600),
  'X-RateLimit-Remaining': integerHeader('Requests left in this window', 598),
  'X-RateLimit-Reset': integerHeader('Seconds until the next window', 42),
  'Idempotent-Replayed': textHeader('`true` if this is a repetition of the first response to the same Idempotency-Key', 'true'),
  ETag: textHeader(
    'The version of the post; send it back in `If-Match` to change only this version',
    '"2026-11-15T09:00:00.000Z"',
  ),
  'Retry-After': integerHeader('Seconds to wait before trying again', 5),
}

const commonHeaders = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

/** References to the headers of one response. */
export function responseHeaders({
  hasReplay,
  hasRetryAfter,
  hasETag = false,
}: {
  hasReplay: boolean
  hasRetryAfter: boolean
  hasETag?: boolean
}): JsonObject {
  const names = [
    ...commonHeaders,
    ...(hasReplay ? ['Idempotent-Replayed'] : []),
    ...(hasRetryAfter ? ['Retry-After'] : []),
    ...(hasETag ? ['ETag'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const parameters: JsonObject = {
  WorkspaceId: {
    name: 'X-Workspace-Id',
    in: 'header',
    required: true,
    description: 'The workspace this request is for',
    schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
    example: '6735f0c29b1e8a0012ab34cd',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your own id for this request. A repeat with the same key within 24 hours gets the first response and is not executed again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '4a0c2f7e-8f0b-4a53-9d3c-6f7f5c8f1b2a',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of the version that you read. If the draft was changed since, the request is refused with `draft_changed` and the ' +
      'current post. Without this header the last change wins.',
    schema: { type: 'string', maxLength: 1000 },
    example: '"2026-11-15T09:00:00.000Z"',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`autosave` for a change that a program saves while a person writes: the audit log gets at most one entry in ten minutes for the ' +
      'person and the draft, and an Idempotency-Key is ignored, because the next change replaces this one anyway.',
    schema: { type: 'string', maxLength: 200 },
    example: 'autosave',
  },
}
