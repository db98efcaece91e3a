import { Ajv, type ErrorObject, type Options, type SchemaValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { problem, type Detail } from '../../problem/problem.ts'
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

/** Returns the errors of a value; none if it matches the schema. */
type SchemaCheck = (value: unknown) => readonly ErrorObject[]

/** More parts than a value of the API needs. Of larger ones only the first error is answered: all of them could be millions. */
const partsMax = 5000

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

/** Checks values against schemas, in linear time. One pass stops at the first error; a second one finds all errors of a value of usual size. */
function createSchemaChecker(options: Options) {
  const first = openAjv({ ...options, allErrors: false })
  const all = openAjv({ ...options, allErrors: true })
  return {
    addFormat(name: string, matches: (text: string) => boolean): void {
      for (const ajv of [first, all]) ajv.addFormat(name, matches)
    },
    compile(schema: TSchema): SchemaCheck {
      const check = first.compile(schema)
      return (value) => {
        if (check(value)) return []
        const errors = check.errors ?? []
        if (countParts(value, partsMax) >= partsMax) return errors
        // Compiled when it is needed first: Ajv keeps what it compiled.
        const checkAll = all.compile(schema)
        return checkAll(value) ? errors : (checkAll.errors ?? errors)
      }
    },
  }
}

function openAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...options, strict: false })
  formats.default(ajv)
  // The library compares each pair of items.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: checkUnique })
  return ajv
}

/** Items are compared as JSON, as clients send them. */
function checkUnique(isWanted: boolean, items: readonly unknown[]): boolean {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item)
    const earlier = seen.get(text)
    if (isWanted && earlier !== undefined) {
      const message = `must NOT have duplicate items (items ## ${earlier} and ${index} are identical)`
      const error = { keyword: 'uniqueItems', params: { i: earlier, j: index }, message }
      // This is how Ajv receives the error of a keyword.
      ;(checkUnique as SchemaValidateFunction).errors = [error]
      return false
    }
    seen.set(text, index)
  }
  return true
}

/** How many values there are inside a value, up to a limit. */
function countParts(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const name in value) {
    if (count >= max) break
    count += countParts(value[name as keyof typeof value], max - count)
  }
  return count
}
