import fc, { type Arbitrary } from 'fast-check'

/** A body with its content type, and whether the service may, or must, accept it. */
export type RequestBody = {
  what: string
  type: string | null
  body: string | Uint8Array<ArrayBuffer> | null
  mayBeAccepted: boolean
  mustBeAccepted?: boolean
}

/** Fields that no client may set. */
const readOnlyFields = [
  'status',
  'workspaceId',
  'role',
  'id',
  'createdAt',
  'archived',
  'personId',
  '__proto__',
  'constructor',
  'surprise',
]

const unusualTexts = [
  '\0',
  '\u{1f469}\u200d\u{1f4bb}',
  '\u202e\u2066',
  '\ud800',
  '\udfff\ud800',
  '\uffff',
  'é'.normalize('NFD'),
  '\u0085',
  '😀'.repeat(500),
]
/** Long texts in other scripts and of signs that start something. Each made a scanner of texts slow, or is likely to. */
const longTexts = [
  'بب.',
  'あ.',
  'ก่.',
  'ё-',
  '中国.',
  '@a.',
  ' #1',
  '<',
  'https://a.',
  '(',
  '\u0315\u0321',
  'a\u0301',
  '👩‍',
  '🇩',
  '\n',
].map((unit) => unit.repeat(Math.floor(24_000 / unit.length)))
/** Times that match the pattern of the schema but are not valid, or not everywhere. */
const invalidTimes = [
  '2016-12-31T23:59:60Z',
  '9999-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '2030-06-30T24:00:00Z',
  '2030-02-29',
  '2027-03-28T02:30:00',
]
const wrongTypes: readonly unknown[] = [null, true, 0, -1, 1e308, '', [], {}, [[]], { length: 3 }, 'NaN', ['a', 1]]

const json = 'application/json'

/** A valid body with the right content type. */
export function validBody(body: unknown): RequestBody {
  return { what: 'valid', type: json, body: JSON.stringify(body), mayBeAccepted: true }
}

/** Everything that can be wrong with a body, one problem at a time. */
export function invalidBodies(body: unknown): Arbitrary<RequestBody> {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
  const text = JSON.stringify(body)
  const raw = (what: string, bytes: RequestBody['body'], type: string | null = json): RequestBody => ({
    what,
    type,
    body: bytes,
    mayBeAccepted: false,
  })
  const ways: Arbitrary<RequestBody>[] = [
    fc.constantFrom(...readOnlyFields).map((name) => ({ ...raw(`extra field ${name}`, withField(text, name, '"x"')) })),
    fc.constantFrom('[]', '7', 'null', '"text"', 'true', '[[[]]]').map((other) => raw('no object', other)),
    fc.nat({ max: Math.max(0, text.length - 2) }).map((end) => raw('cut off', text.slice(0, end))),
    fc
      .constantFrom('text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'x', '')
      .map((type) => raw('other type', text, type)),
    fc.constant(raw('invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))),
    fc.constant(raw('huge', `{"text":"${'a'.repeat(1_200_000)}"}`)),
    fc
      .tuple(fc.constantFrom(100, 5000, 100_000), fc.constantFrom('', '"\\u0000"', '{"__proto__":1}'))
      .map(([depth, inside]) => raw('deep', `{"text":${'['.repeat(depth)}${inside}${']'.repeat(depth)}}`)),
    fc.constant(raw('many unknown fields', `{${Array.from({ length: 60_000 }, (_, n) => `"f${n}":1`).join(',')}}`)),
    fc.constant(
      raw('broken form', '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx', 'multipart/form-data; boundary=b'),
    ),
    fc.constant(raw('form without boundary', 'x', 'multipart/form-data')),
  ]
  if (fields.length > 0) {
    const field = fc.constantFrom(...fields)
    const withUnusualText = fc
      .tuple(fc.constantFrom(...placesIn(body)), fc.constantFrom(...unusualTexts, ...invalidTimes))
      .map(([place, value]) => maybeValid(`unusual text at ${place.join('.')}`, setAt(body, place, value)))
    ways.push(
      withUnusualText,
      withUnusualText,
      withUnusualText,
      fc
        .tuple(fc.constantFrom(...placesIn(body)), fc.constantFrom(...longTexts))
        .map(([place, value]) => maybeValid(`long text at ${place.join('.')}`, setAt(body, place, value))),
      fc.tuple(field, fc.constantFrom(...longTexts)).map(([name, value]) =>
        maybeValid(
          `many long texts in ${name}`,
          set(
            body,
            name,
            Array.from({ length: 10 }, () => value),
          ),
        ),
      ),
      fc
        .tuple(field, fc.constantFrom(...wrongTypes))
        .map(([name, value]) => maybeValid(`${name} of another type`, set(body, name, value))),
      fc
        .tuple(field, fc.constantFrom(...unusualTexts))
        .map(([name, value]) =>
          maybeValid(`unusual text inside ${name}`, set(body, name, [value, { text: value, [value]: value }])),
        ),
      field.map((name) => maybeValid(`${name} too long`, set(body, name, 'a'.repeat(30_000)))),
      field.map((name) => maybeValid(`without ${name}`, set(body, name, undefined))),
      field.map((name) => ({ ...raw(`${name} twice`, withField(text, name, '7')), mayBeAccepted: true })),
    )
  }
  return fc.oneof(...ways)
}

/** A changed body that may still be valid: `findProblems` decides that with the schema. */
function maybeValid(what: string, body: unknown): RequestBody {
  return { what, type: json, body: JSON.stringify(body), mayBeAccepted: true }
}

function set(body: unknown, name: string, value: unknown): unknown {
  return { ...(body as Record<string, unknown>), [name]: value }
}

type Place = readonly string[]

/** The path of every value in a body, at any depth. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [...(at.length > 0 ? [at] : []), ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))]
}

function setAt(value: unknown, [name, ...rest]: Place, to: unknown): unknown {
  if (name === undefined) return to
  const inner = setAt((value as Record<string, unknown>)[name], rest, to)
  if (Array.isArray(value)) return value.with(Number(name), inner)
  return { ...(value as Record<string, unknown>), [name]: inner }
}

/** Adds a field to the JSON text itself, so that a name may occur twice. */
function withField(text: string, name: string, value: string): string {
  const inner = text.slice(1, -1)
  return `{${inner}${inner ? ',' : ''}${JSON.stringify(name)}:${value}}`
}
