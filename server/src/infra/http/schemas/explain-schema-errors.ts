import type { ErrorObject } from 'ajv'
import type { Detail } from '../../problem/problem.ts'

type Explained = Required<Omit<Detail, 'path'>>
type Params = Record<string, unknown>

/** Describes what is wrong with a value in sentences that a person understands. They contain no words of JSON Schema. */
export function explainSchemaErrors(errors: readonly ErrorObject[]): Detail[] {
  return dedupe(explainAll(errors))
}

/** A value that fits none of several alternatives has one error for all of them and some for each. They become one sentence. */
function explainAll(errors: readonly ErrorObject[]): Detail[] {
  const union = errors.filter(isUnion).toSorted((a, b) => a.schemaPath.length - b.schemaPath.length)[0]
  if (!union) return errors.flatMap(explainOne)
  const isInner = (error: ErrorObject) =>
    isInside(error.schemaPath, union.schemaPath) && isAt(error.instancePath, union.instancePath)
  const rest = errors.filter((error) => error !== union && !isInner(error))
  return [...explainUnion(union, errors.filter(isInner)), ...explainAll(rest)]
}

function isUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function isInside(path: string, parent: string): boolean {
  return path.startsWith(`${parent}/`)
}

function isAt(path: string, parent: string): boolean {
  return path === parent || isInside(path, parent)
}

function explainUnion(union: ErrorObject, inner: readonly ErrorObject[]): Detail[] {
  const own = messageOf(union)
  if (own) return [{ path: pathOf(union), code: 'invalid_format', message: own, params: {} }]
  const branches: readonly Params[] = (union.parentSchema?.[union.keyword] as Params[] | undefined) ?? []
  const candidates = branches
    .map((_, index) => inner.filter((error) => isInside(error.schemaPath, `${union.schemaPath}/${index}`)))
    // A branch for another type says nothing about what is wrong with this value.
    .filter((found) => found.length > 0 && !found.some((error) => isWrongKind(error, union.instancePath)))
    .toSorted((a, b) => a.length - b.length)
  const [nearest] = candidates
  if (nearest) return explainAll(nearest)
  const allowed = branches.flatMap((branch) => valuesOf(branch))
  if (allowed.length > 0 && allowed.length === branches.length) return [{ path: pathOf(union), ...notAllowed(allowed) }]
  const expected = [...new Set(branches.map(nameOfBranch))]
  return [
    {
      path: pathOf(union),
      code: 'wrong_type',
      message: `Must be ${joinWithOr(expected)}.`,
      params: { expected: expected.join(', ') },
    },
  ]
}

function isWrongKind({ keyword, instancePath }: ErrorObject, path: string): boolean {
  return instancePath === path && (keyword === 'type' || keyword === 'const')
}

function valuesOf(branch: Params): unknown[] {
  return 'const' in branch ? [branch['const']] : []
}

function nameOfBranch(branch: Params): string {
  if ('const' in branch) return JSON.stringify(branch['const'])
  if (Array.isArray(branch['enum'])) return `one of ${branch['enum'].join(', ')}`
  return typeNames[String(branch['type'])] ?? 'another value'
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function explainOne(error: ErrorObject): Detail[] {
  const params: Params = error.params
  switch (error.keyword) {
    // The broken part of the conditional schema, and of the rule for names, has an error of its own.
    case 'if':
    case 'propertyNames':
      return []
    case 'additionalProperties':
      return [{ path: pathOf(error, String(params['additionalProperty'])), ...unknownField }]
    case 'required': {
      const path = pathOf(error, String(params['missingProperty']))
      return [{ path, code: 'required', message: 'This field is required.', params: {} }]
    }
    default:
      return [{ path: pathOf(error) || 'body', ...explainKeyword(error) }]
  }
}

const unknownField: Explained = { code: 'unknown_field', message: 'This field is not known here.', params: {} }

const keywords: Readonly<Record<string, (error: ErrorObject) => Explained>> = {
  type: ({ params }) => {
    const types = [params['type']].flat().map((type) => typeNames[String(type)] ?? 'another value')
    return { code: 'wrong_type', message: `Must be ${joinWithOr(types)}.`, params: { expected: types.join(', ') } }
  },
  minLength: (error) => explainLength(error, 'too_short', 'least'),
  maxLength: (error) => explainLength(error, 'too_long', 'most'),
  minItems: (error) => explainCount(error, 'too_few', 'least'),
  maxItems: (error) => explainCount(error, 'too_many', 'most'),
  maxProperties: (error) => explainCount(error, 'too_many', 'most'),
  uniqueItems: ({ params, data }) => {
    const twice: unknown = Array.isArray(data) ? data[Number(params['i'])] : undefined
    const named = typeof twice === 'string' && twice.length <= 200 ? `: ${twice}` : ''
    return { code: 'duplicate', message: `Must not contain the same entry twice${named}.`, params: {} }
  },
  minimum: ({ params }) => explainBound(params, 'too_small', 'or more'),
  maximum: ({ params }) => explainBound(params, 'too_large', 'or less'),
  enum: ({ params }) => notAllowed(Array.isArray(params['allowedValues']) ? params['allowedValues'] : []),
  const: ({ params }) => notAllowed([params['allowedValue']]),
  pattern: (error) => explainFormat(error, undefined),
  format: (error) => explainFormat(error, formatMessages[String(error.params['format'])]),
  'false schema': () => unknownField,
}

const formatMessages: Readonly<Record<string, string>> = {
  'date-time': 'Must be a date and time with an offset, such as 2027-03-01T09:00:00Z.',
  date: 'Must be a date such as 2027-03-01.',
  uuid: 'Must be an id such as 019331c2-5e1b-7c44-8d2f-1f5a0c7e9b10.',
  email: 'Must be an email address.',
}

function explainKeyword(error: ErrorObject): Explained {
  return keywords[error.keyword]?.(error) ?? unexplained
}

/** The sentence for a keyword that has none here. A test makes sure that no schema of the contract leads to it. */
export const unexplained: Explained = { code: 'invalid', message: 'This value cannot be accepted.', params: {} }

function explainFormat(error: ErrorObject, usual: string | undefined): Explained {
  const message = messageOf(error) ?? usual
  return message ? { code: 'invalid_format', message, params: {} } : unexplained
}

function explainLength({ params, data }: ErrorObject, code: string, bound: 'least' | 'most'): Explained {
  const limit = Number(params['limit'])
  const actual = [...String(data)].length
  const message =
    bound === 'least' && limit === 1
      ? 'Must not be empty.'
      : `Must have at ${bound} ${formatCount(limit, 'character', 'characters')}; this has ${actual}.`
  return { code, message, params: { limit, actual, bound, unit: 'character' } }
}

function explainCount({ params, data }: ErrorObject, code: string, bound: 'least' | 'most'): Explained {
  const limit = Number(params['limit'])
  const actual = Object.keys(Object(data)).length
  const message = `Must have at ${bound} ${formatCount(limit, 'entry', 'entries')}; this has ${actual === 0 ? 'none' : actual}.`
  return { code, message, params: { limit, actual, bound, unit: 'entry' } }
}

function explainBound(params: Params, code: string, words: string): Explained {
  return { code, message: `Must be ${String(params['limit'])} ${words}.`, params: { limit: params['limit'] } }
}

function notAllowed(allowed: readonly unknown[]): Explained {
  const message = allowed.length === 1 ? `Must be ${String(allowed[0])}.` : `Must be one of ${allowed.join(', ')}.`
  return { code: 'not_allowed', message, params: { allowed } }
}

function messageOf({ parentSchema }: ErrorObject): string | undefined {
  const message: unknown = parentSchema?.['x-message']
  return typeof message === 'string' ? message : undefined
}

function pathOf({ instancePath }: ErrorObject, field?: string): string {
  const base = instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  if (field === undefined) return base
  return base ? `${base}.${field}` : field
}

function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'another value') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function dedupe(details: readonly Detail[]): Detail[] {
  const seen = new Set<string>()
  return details.filter(({ path, message }) => !seen.has(path + message) && seen.add(path + message))
}
