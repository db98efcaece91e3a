import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { problem, type Detail } from '../problem/problem.ts'
import { explainSchemaErrors } from './explain-schema-errors.ts'

// A query contains only strings, so they are converted to numbers. The values of a JSON body are not converted. With `verbose`, an error
// has the schema and the value, which the sentences need.
const options = { allErrors: true, strict: false, verbose: true } as const
const forBody = new Ajv(options)
const forQuery = new Ajv({ ...options, coerceTypes: true, useDefaults: true })
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i
const mediaId = /^[0-9a-f]{24}$/
for (const ajv of [forBody, forQuery]) {
  formats.default(ajv)
  // RFC 3339 allows leap seconds, but neither `Date` nor the database supports them. The database has no year 0.
  ajv.addFormat('date-time', (text: string) => instant.test(text) && !Number.isNaN(Date.parse(text)) && hasYear(text))
  ajv.addFormat('date', (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text) && hasYear(text))
  ajv.addFormat('web-url', isWebUrl)
  ajv.addFormat('media-entry', (text: string) => mediaId.test(text) || isWebUrl(text))
}

/** Compiles a schema into a check that throws `request_invalid` with every invalid field. */
export function createValidator(schema: TSchema | undefined, part: 'body' | 'query' | 'params'): (value: unknown) => void {
  if (!schema) return () => {}
  const check: ValidateFunction = (part === 'body' ? forBody : forQuery).compile(schema)
  return (value) => {
    if (check(value)) return
    throw problem('request_invalid', { details: explainSchemaErrors(check.errors ?? []) })
  }
}

/** Compiled when a value is checked for the first time, because that happens rarely. */
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** What is wrong with a value, without throwing. */
export function listSchemaProblems(schema: TSchema, value: unknown): Detail[] {
  const check = compiled.get(schema) ?? forBody.compile(schema)
  compiled.set(schema, check)
  return check(value) ? [] : explainSchemaErrors(check.errors ?? [])
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** `Date` accepts 2027-02-31 and moves it to March. */
function isDay(text: string): boolean {
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function hasYear(text: string): boolean {
  return !text.startsWith('0000')
}
