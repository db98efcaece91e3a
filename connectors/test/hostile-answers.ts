import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { createHttp } from '../src/kit/create-http.ts'
import type { Connector } from '../src/kit/connector.ts'
import type { Call, Http } from '../src/kit/http.ts'

/** An id with this in it must stay one segment of a path. */
export const traversal = 'evil-path'

const hostileTexts = [
  '',
  '1',
  '0',
  '-1',
  '2026-11-16T10:00:00.000Z',
  '2026-11-16T10:00:00+0000',
  '+275760-09-13T00:00:00.001Z',
  'not a date',
  'https://social.example/@bell/1',
  'javascript:alert(1)',
  'http://[::1',
  'at://did:plc:bell/app.bsky.feed.post/3k',
  'urn:li:share:1',
  `../../${traversal}`,
  `..%2f..%2f${traversal}`,
  `1?a=b#c/${traversal}`,
  '@evil.example',
  '\u0000',
  '\ud83d',
  '__proto__',
  'constructor',
  '<p>the text</p>',
  '<'.repeat(20_000),
  '&'.repeat(20_000),
  'https://a.'.repeat(2_000),
  '\u0301'.repeat(20_000),
  'FINISHED',
  'ERROR',
  'PUBLISHED',
  'PUBLISH_COMPLETE',
  'FAILED',
  'SELF_ONLY',
]

const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...hostileTexts) }, fc.string({ unit: 'binary', maxLength: 40 }))
const number = fc.oneof(
  fc.constantFrom(0, -1, 1, 1e15, 1e308, -1e308, 2 ** 53, 1_763_280_000),
  fc.integer(),
  fc.double({ noNaN: true }),
)

/** The parts of a JSON schema that the answers of platforms are described with. */
type Shape = {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Shape[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  items?: Shape
  minItems?: number
  patternProperties?: Readonly<Record<string, Shape>>
}

/** Bodies that a schema accepts, with hostile values in them. */
function bodyOf(schema: Shape): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(bodyOf))
  switch (schema.type) {
    case 'string':
      return text
    case 'number':
    case 'integer':
      return number
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(bodyOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object': {
      const [values] = Object.values(schema.patternProperties ?? {})
      if (values) return fc.dictionary(text, bodyOf(values), { maxKeys: 3 })
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, bodyOf(field)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] })
    }
    default:
      return fc.jsonValue()
  }
}

const headerText = fc.constantFrom(
  '',
  '1',
  '-1',
  '1e400',
  '99999999999999',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'soon',
  'a'.repeat(8_000),
)
const headers = fc.dictionary(
  fc.constantFrom('retry-after', 'x-rate-limit-reset', 'ratelimit-reset', 'x-ratelimit-reset', 'x-restli-id', 'location', 'etag'),
  headerText,
)
/** Most answers are taken as successes, because only then is the body read. */
const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  fc.constantFrom(201, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503),
)
const broken = fc.constantFrom(
  '',
  'null',
  '[',
  '{"a":',
  '<html>Bad Gateway</html>',
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  '\u0000',
)

const answer = (schema: TSchema) =>
  fc.record({
    status,
    headers,
    body: fc.oneof(
      { weight: 6, arbitrary: bodyOf(schema as Shape).map((value) => JSON.stringify(value)) },
      fc.json({ maxDepth: 3 }),
      broken,
    ),
  })

export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T

/** A client whose platform answers each call with a hostile answer. `requested` are the addresses that were called. */
export function hostileHttp({ classify, attach }: Connector, draw: Draw, requested: string[]): Http {
  let next = { status: 200, headers: {}, body: '' }
  const http = createHttp({
    transport: async ({ url, beforeWrite }) => {
      beforeWrite?.()
      requested.push(url)
      if (requested.length > 500) throw new Error('the connector keeps calling')
      return { status: next.status, headers: next.headers, text: async () => next.body }
    },
    origin: 'https://platform.example',
    credentials: { accessToken: 'token', refreshToken: 'refresh' },
    classify,
    attach,
    nowMs: () => Date.parse('2026-11-16T10:00:00Z'),
    wait: async () => {},
  })
  const exchange = <Schema extends TSchema>(call: Call<Schema>) => {
    next = draw(answer(call.returns))
    return http.exchange(call)
  }
  return { ...http, exchange, call: async (call) => (await exchange(call)).body }
}
