import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { problem, type Detail } from '../problem/problem.ts'

// A query contains only strings, so they are converted to numbers. The values of a JSON body are not converted.
const forBody = new Ajv({ allErrors: true, strict: false })
const forQuery = new Ajv({ allErrors: true, strict: false, coerceTypes: true, useDefaults: true })
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i
for (const ajv of [forBody, forQuery]) {
  formats.default(ajv)
  // RFC 3339 allows leap seconds, but neither `Date` nor the database supports them.
  ajv.addFormat('date-time', (text: string) => instant.test(text) && !Number.isNaN(Date.parse(text)))
}

/** Compiles a schema into a check that throws `request_invalid` with every invalid field. */
export function createValidator(schema: TSchema | undefined, part: 'body' | 'query' | 'params'): (value: unknown) => void {
  if (!schema) return () => {}
  const check: ValidateFunction = (part === 'body' ? forBody : forQuery).compile(schema)
  return (value) => {
    if (check(value)) return
    throw problem('request_invalid', { details: dedupe((check.errors ?? []).map(detail)) })
  }
}

function detail(error: ErrorObject): Detail {
  const base = error.instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const at = (name: string) => (base ? `${base}.${name}` : name)
  const params: Record<string, unknown> = error.params
  if (error.keyword === 'additionalProperties')
    return { path: at(String(params['additionalProperty'])), message: 'This field is not known here.' }
  if (error.keyword === 'required') return { path: at(String(params['missingProperty'])), message: 'This field is required.' }
  return { path: base || 'body', message: sentence(error) }
}

function sentence(error: ErrorObject): string {
  const params: Record<string, unknown> = error.params
  if (error.keyword === 'enum') return `Must be one of ${String(params['allowedValues'])}.`
  const text = error.message ?? 'is not valid'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function dedupe(details: Detail[]): Detail[] {
  const seen = new Set<string>()
  return details.filter(({ path, message }) => !seen.has(path + message) && seen.add(path + message))
}
