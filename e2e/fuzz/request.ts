import { endpoints, type Endpoint } from '@carillon/contract'
import fc, { type Arbitrary } from 'fast-check'
import { hostileForms, takesForm, validForm, type SmallFiles } from './form.ts'
import { invalidBodies, validBody, type RequestBody } from './request-body.ts'
import { valueOf, type KnownValues } from './value.ts'

export type FuzzRequest = {
  endpoint: Endpoint
  path: string
  query: string
  sent: RequestBody | null
  headers: Record<string, string>
}

const unknownId = '0123456789abcdef01234567'
const oddSegments = [
  '%',
  '%2e%2e',
  '..',
  'é',
  '%00',
  "'",
  '1;drop',
  'a'.repeat(65),
  'a'.repeat(250),
  '0',
  '%ff',
  '__proto__',
  '🙂',
]
const oddQueries = [
  '',
  'surprise=1',
  'limit=-1',
  'limit=9e99',
  'page=0x10',
  'page=99999999999',
  'from=%00',
  'from=2016-12-31T23:59:60Z',
  'to=9999-12-31T23:59:60Z',
  'from=0000-01-01&to=9999-12-31',
  'search=%25_%5C',
  'search=%ED%A0%80',
  'cursor=x',
  'a[b]=c',
  'limit=1&limit=2',
]
const oddHeaders: Record<string, string>[] = [
  { 'idempotency-key': 'again' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': '' },
  { 'x-workspace-id': "'" },
  { 'x-workspace-id': '0123456789abcdef01234567' },
  { authorization: 'Bearer' },
  { authorization: 'Basic YTpi' },
  { 'accept-encoding': 'br', accept: 'application/xml' },
  { 'content-encoding': 'gzip' },
]

/** Any request to any endpoint: valid, invalid, at the limits, and nonsense. */
export function requestOf(known: KnownValues, files: SmallFiles): Arbitrary<FuzzRequest> {
  return fc.constantFrom(...endpoints).chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      path: pathOf(endpoint, known),
      query: queryOf(endpoint, known),
      sent: bodyOf(endpoint, known, files),
      headers: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constantFrom(...oddHeaders) }),
    }),
  )
}

function pathOf({ path, method }: Endpoint, known: KnownValues): Arbitrary<string> {
  const parts = path.split('/').map((part, n, all) => {
    if (!part.startsWith(':')) return fc.constant(part)
    const name = part === ':id' ? `/${all[n - 1]}` : part.slice(1)
    // Only some ids may be deleted, because the other requests need existing ids until the end.
    const words = (method === 'DELETE' && n === all.length - 1 ? known[`DELETE ${name}`] : known[name]) ?? [unknownId]
    return fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...words) },
      { weight: 1, arbitrary: fc.constantFrom(...oddSegments) },
    )
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

function queryOf({ query }: Endpoint, known: KnownValues): Arbitrary<string> {
  const odd = fc.constantFrom(...oddQueries)
  if (!query) return fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: odd })
  const good = valueOf(query, known).map((all) => {
    const pairs = Object.entries(all as Record<string, unknown>).map(([name, value]) => [name, String(value).toWellFormed()])
    return new URLSearchParams(pairs).toString()
  })
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: odd })
}

function bodyOf(endpoint: Endpoint, known: KnownValues, files: SmallFiles): Arbitrary<RequestBody | null> {
  const { body } = endpoint
  const other = otherThanForm(endpoint, known)
  if (!takesForm(endpoint)) return other
  const sent = validForm(endpoint, body ? valueOf(body, known) : fc.constant({}), {
    files,
    connections: known['connections'] ?? [],
  })
  return fc.oneof({ weight: 4, arbitrary: sent }, { weight: 8, arbitrary: other }, { weight: 1, arbitrary: hostileForms() })
}

function otherThanForm({ method, body }: Endpoint, known: KnownValues): Arbitrary<RequestBody | null> {
  if (method === 'GET') return fc.constant(null)
  if (!body) return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: invalidBodies({}) })
  const good = valueOf(body, known)
  return fc.oneof(
    { weight: 2, arbitrary: good.map(validBody) },
    { weight: 3, arbitrary: good.chain(invalidBodies) },
    { weight: 1, arbitrary: fc.constant(null) },
  )
}
