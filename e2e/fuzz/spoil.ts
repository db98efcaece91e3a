import fc, { type Arbitrary } from 'fast-check'

/** A body as bytes of a content type, and whether the service may, or must, take it. */
export type Sent = {
  what: string
  type: string | null
  body: string | Uint8Array<ArrayBuffer> | null
  mayPass: boolean
  mustPass?: boolean
}

/** Fields of our records that nobody may set. */
const foreign = [
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

const strange = [
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
/** Moments that a pattern takes for one and a calendar does not. */
const times = [
  '2016-12-31T23:59:60Z',
  '9999-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '2030-06-30T24:00:00Z',
  '2030-02-29',
  '2027-03-28T02:30:00',
]
const wrong: readonly unknown[] = [null, true, 0, -1, 1e308, '', [], {}, [[]], { length: 3 }, 'NaN', ['a', 1]]

const json = 'application/json'

/** A good body, sent as it should be. */
export function whole(body: unknown): Sent {
  return { what: 'valid', type: json, body: JSON.stringify(body), mayPass: true }
}

/** Everything that can be wrong about a body, each on its own. */
export function spoiled(body: unknown): Arbitrary<Sent> {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
  const text = JSON.stringify(body)
  const raw = (what: string, bytes: Sent['body'], type: string | null = json): Sent => ({
    what,
    type,
    body: bytes,
    mayPass: false,
  })
  const ways: Arbitrary<Sent>[] = [
    fc.constantFrom(...foreign).map((name) => ({ ...raw(`extra field ${name}`, withField(text, name, '"x"')) })),
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
    fc.constant(
      raw('broken form', '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx', 'multipart/form-data; boundary=b'),
    ),
    fc.constant(raw('form without boundary', 'x', 'multipart/form-data')),
  ]
  if (fields.length > 0) {
    const field = fc.constantFrom(...fields)
    const strangely = fc
      .tuple(fc.constantFrom(...placesIn(body)), fc.constantFrom(...strange, ...times))
      .map(([place, value]) => perhaps(`strange text at ${place.join('.')}`, setAt(body, place, value)))
    ways.push(
      strangely,
      strangely,
      strangely,
      fc
        .tuple(field, fc.constantFrom(...wrong))
        .map(([name, value]) => perhaps(`${name} of another type`, set(body, name, value))),
      fc
        .tuple(field, fc.constantFrom(...strange))
        .map(([name, value]) =>
          perhaps(`strange text inside ${name}`, set(body, name, [value, { text: value, [value]: value }])),
        ),
      field.map((name) => perhaps(`${name} too long`, set(body, name, 'a'.repeat(30_000)))),
      field.map((name) => perhaps(`without ${name}`, set(body, name, undefined))),
      field.map((name) => ({ ...raw(`${name} twice`, withField(text, name, '7')), mayPass: true })),
    )
  }
  return fc.oneof(...ways)
}

/** May happen to be right all the same: the judge looks it up in the schema. */
function perhaps(what: string, body: unknown): Sent {
  return { what, type: json, body: JSON.stringify(body), mayPass: true }
}

function set(body: unknown, name: string, value: unknown): unknown {
  return { ...(body as Record<string, unknown>), [name]: value }
}

type Place = readonly string[]

/** Every place in a body, however deep. */
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

/** By hand, so that a name may come twice. */
function withField(text: string, name: string, value: string): string {
  const inner = text.slice(1, -1)
  return `{${inner}${inner ? ',' : ''}${JSON.stringify(name)}:${value}}`
}
