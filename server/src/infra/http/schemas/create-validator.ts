import type { TSchema } from 'typebox'
import { problem, type Detail } from '../../problem/problem.ts'
import { createSchemaChecker, type SchemaCheck } from './create-schema-checker.ts'
import { explainSchemaErrors } from './explain-schema-errors.ts'

// A query contains only strings, so they are converted to numbers. The values of a JSON body are not converted. With `verbose`, an error
// has the schema and the value, which the sentences need.
const forBody = createSchemaChecker({ verbose: true })
const forQuery = createSchemaChecker({ verbose: true, coerceTypes: true, useDefaults: true })
const instant = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i
const mediaId = /^[0-9a-f]{24}$/
for (const checker of [forBody, forQuery]) {
  checker.addFormat('date-time', isInstant)
  checker.addFormat('date', (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text))
  checker.addFormat('web-url', isWebUrl)
  checker.addFormat('media-entry', (text: string) => mediaId.test(text) || isWebUrl(text))
}

/** Compiles a schema into a check that throws `request_invalid` with every invalid field. */
export function createValidator(schema: TSchema | undefined, part: 'body' | 'query' | 'params'): (value: unknown) => void {
  if (!schema) return () => {}
  const check = (part === 'body' ? forBody : forQuery).compile(schema)
  return (value) => {
    const errors = check(value)
    if (errors.length > 0) throw problem('request_invalid', { details: explainSchemaErrors(errors) })
  }
}

/** Compiled when a value is checked for the first time, because that happens rarely. */
const compiled = new WeakMap<TSchema, SchemaCheck>()

/** What is wrong with a value, without throwing. */
export function listSchemaProblems(schema: TSchema, value: unknown): Detail[] {
  const check = compiled.get(schema) ?? forBody.compile(schema)
  compiled.set(schema, check)
  return explainSchemaErrors(check(value))
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** RFC 3339 allows leap seconds, but neither `Date` nor the database supports them. `Date` also accepts 24:00, which RFC 3339 does not. */
function isInstant(text: string): boolean {
  const day = instant.exec(text)?.[1]
  return day !== undefined && isDay(day) && !Number.isNaN(Date.parse(text))
}

/** `Date` accepts 2027-02-31 and moves it to March. The database has no year 0. */
function isDay(text: string): boolean {
  const at = Date.parse(text)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) && !text.startsWith('0000')
}
