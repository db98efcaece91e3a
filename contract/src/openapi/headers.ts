import type { JsonObject } from './json.ts'

const text = (description: string, example: string): JsonObject => ({ description, schema: { type: 'string' }, example })
const whole = (description: string, example: number): JsonObject => ({ description, schema: { type: 'integer' }, example })

/** Every response header the service promises, by its name on the wire. */
export const headers: JsonObject = {
  'X-Request-Id': text('Names this request in our logs; the same as `error.traceId`', '019a8400-7a51-7c1e-9a7e-5a3a6a0d6c11'),
  RateLimit: text('What is left of the tighter limit: `r` requests, `t` seconds until it is full again', '"key";r=598;t=42'),
  'RateLimit-Policy': text('The limit itself: `q` requests in `w` seconds', '"key";q=600;w=60'),
  'X-RateLimit-Limit': whole('Requests in a window', 600),
  'X-RateLimit-Remaining': whole('Requests left in this window', 598),
  'X-RateLimit-Reset': whole('Seconds until the next window', 42),
  'Idempotent-Replayed': text('`true` when this is the first answer to the same Idempotency-Key, given again', 'true'),
  'Retry-After': whole('Seconds to wait before trying again', 5),
}

const everywhere = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

export function responseHeaders({ isIdempotent, mayWait }: { isIdempotent: boolean; mayWait: boolean }): JsonObject {
  const names = [...everywhere, ...(isIdempotent ? ['Idempotent-Replayed'] : []), ...(mayWait ? ['Retry-After'] : [])]
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
      'Your own id for this request. Sending it again within 24 hours gives the first answer again instead of doing the work twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '4a0c2f7e-8f0b-4a53-9d3c-6f7f5c8f1b2a',
  },
}
