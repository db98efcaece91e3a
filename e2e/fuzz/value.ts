import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './schema.ts'

/** Values that exist in the service under test, by the name of the field that takes them. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

/** The longest random text. Longer ones come from the boundary cases. */
const randomLengthMax = 60

const formats: Readonly<Record<string, Arbitrary<string>>> = {
  'date-time': fc
    .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid(),
  email: fc.stringMatching(/^[a-z]{1,10}$/).map((name) => `${name}@example.com`),
}

/** Values that a schema accepts: random ones, its limits, and those that the service knows. */
export function valueOf(schema: Schema, known: KnownValues, name = ''): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.type === 'string') return textOf(schema, known, name)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valueOf(each, known, name)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, known)
    case 'array':
      return listOf(schema, known, name)
    case 'integer':
      return numberOf(schema)
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectOf(schema: Schema, known: KnownValues): Arbitrary<unknown> {
  if (schema.if) return fc.oneof(...branchesOf(schema).map((branch) => objectOf(branch, known)))
  const { properties = {}, required = [], patternProperties } = schema
  const [values] = Object.values(patternProperties ?? {})
  if (values) {
    const slugs = fc.constantFrom(...(known['connections'] ?? ['x']))
    const keys = fc.oneof({ weight: 15, arbitrary: slugs }, { weight: 1, arbitrary: fc.string({ maxLength: 20 }) })
    return fc.dictionary(keys, valueOf(values, known), { maxKeys: 3 })
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueOf(each, known, name)]))
  return fc.record(fields, { requiredKeys: [...required] })
}

/** An object that meets the condition, and one that does not and has what `else` wants. */
function branchesOf({ if: condition, else: otherwise, ...schema }: Schema): Schema[] {
  const { properties = {}, required = [] } = schema
  const strict = Object.entries(otherwise?.properties ?? {}).map(([name, more]) => [name, { ...properties[name], ...more }])
  const absent = Object.keys(condition?.properties ?? {})
  const others = Object.entries(properties).filter(([name]) => !absent.includes(name))
  return [
    {
      ...schema,
      properties: { ...properties, ...condition?.properties },
      required: [...required, ...(condition?.required ?? [])],
    },
    {
      ...schema,
      properties: { ...Object.fromEntries(others), ...Object.fromEntries(strict) },
      required: [...required, ...(otherwise?.required ?? [])],
    },
  ]
}

function listOf(
  { items = {}, minItems = 0, maxItems = 10, uniqueItems }: Schema,
  known: KnownValues,
  name: string,
): Arbitrary<unknown> {
  const one = valueOf(items, known, name)
  const few = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) }
  if (uniqueItems) return fc.uniqueArray(one, { ...few, selector: (each) => JSON.stringify(each) })
  return fc.array(one, few)
}

function numberOf({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): Arbitrary<number> {
  return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }))
}

function textOf(schema: Schema, known: KnownValues, name: string): Arbitrary<string> {
  const words = known[name] ?? []
  const random = schema.pattern?.includes('https?') ? addresses(schema) : randomText(schema)
  const fitting = words.filter((word) => fits(schema, word))
  return fitting.length > 0
    ? fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: random })
    : random
}

/** URLs at which nothing listens: a random request must never reach a real server. */
function addresses(schema: Schema): Arbitrary<string> {
  const odd = [
    'http://127.0.0.1:9/a',
    'https://127.0.0.1:9/%00',
    'http://[::1]:9/',
    'http://0x7f.1/',
    'https://[',
    'http://é.invalid/',
  ]
  return fc.constantFrom(...odd.filter((each) => fits(schema, each)))
}

function randomText(schema: Schema): Arbitrary<string> {
  const { minLength = 0, maxLength = randomLengthMax, pattern, format, anyOf = [] } = schema
  const named = format ?? anyOf.find((each) => each.format)?.format
  if (named && formats[named]) return formats[named]
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((text) => fits(schema, text))
  const usual = fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, randomLengthMax) })
    .filter((text) => fits(schema, text))
  const edges = [minLength, maxLength].filter((length) => length <= 30_000).map((length) => 'a'.repeat(length))
  return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...edges) })
}

function fits({ minLength = 0, maxLength = Infinity, pattern }: Schema, text: string): boolean {
  const length = [...text].length
  return length >= minLength && length <= maxLength && (!pattern || new RegExp(pattern).test(text))
}
