import { connectors } from '@carillon/connectors'
import { endpoints, platforms } from '@carillon/contract'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Problem, type Detail } from '../../problem/problem.ts'
import { createValidator, listSchemaProblems } from './create-validator.ts'
import { unexplained } from './explain-schema-errors.ts'

/**
 * Guarantee: whatever is wrong with a request, the answer is a sentence that a person understands. The test reads every schema of the
 * contract, breaks each of its keywords in a value that is otherwise valid, and reads the answer.
 */
type Schema = {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
  if?: unknown
  else?: Schema
}

/** A value that breaks one keyword somewhere in a schema. */
type Broken = { keyword: string; at: string; value: unknown }

const wrongTypes: readonly unknown[] = [null, true, 7.5, 'a word', [], {}]

function* breakSchema(schema: Schema, at: string): Generator<Broken> {
  const broken = (keyword: string, value: unknown): Broken => ({ keyword, at, value })
  if (schema.type !== undefined || schema.anyOf || schema.enum) {
    for (const value of wrongTypes) yield broken('type', value)
  }
  if (schema.enum) yield broken('enum', 'no such value')
  if (schema.oneOf) yield broken('oneOf', 'no such value')
  if (schema.const !== undefined) yield broken('const', 'no such value')
  if (schema.minLength !== undefined && schema.minLength > 0) yield broken('minLength', 'a'.repeat(schema.minLength - 1))
  if (schema.maxLength !== undefined) yield broken('maxLength', 'a'.repeat(schema.maxLength + 1))
  if (schema.pattern ?? schema.format) yield broken('pattern', ' ,:/ ')
  if (schema.format) yield broken('format', 'https://<broken>/')
  if (schema.type === 'string' && schema.anyOf) yield broken('anyOf', 'no such format')
  if (schema.minimum !== undefined) yield broken('minimum', schema.minimum - 1)
  if (schema.maximum !== undefined) yield broken('maximum', schema.maximum + 1)
  yield* breakList(schema, at, broken)
  yield* breakObject(schema, at, broken)
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* breakSchema(branch, at)
}

function* breakList(schema: Schema, at: string, broken: (keyword: string, value: unknown) => Broken): Generator<Broken> {
  if (schema.type !== 'array') return
  const item = validValue(schema.items ?? {})
  if ((schema.minItems ?? 0) > 0)
    yield broken(
      'minItems',
      Array.from({ length: (schema.minItems ?? 1) - 1 }, () => item),
    )
  if (schema.maxItems !== undefined)
    yield broken(
      'maxItems',
      Array.from({ length: schema.maxItems + 1 }, () => item),
    )
  if (schema.uniqueItems) yield broken('uniqueItems', [item, item])
  for (const inner of breakSchema(schema.items ?? {}, `${at}[0]`)) yield { ...inner, value: [inner.value] }
}

function* breakObject(schema: Schema, at: string, broken: (keyword: string, value: unknown) => Broken): Generator<Broken> {
  if (schema.type !== 'object') return
  const valid = validValue(schema) as Record<string, unknown>
  if (schema.additionalProperties === false) yield broken('additionalProperties', { ...valid, surprise: 1 })
  for (const name of [...(schema.required ?? []), ...(schema.else?.required ?? [])]) {
    const { [name]: _removed, ...rest } = valid
    yield broken('required', rest)
  }
  const fields = {
    ...schema.properties,
    ...Object.fromEntries(Object.values(schema.patternProperties ?? {}).map((each) => ['some-key', each])),
  }
  for (const [name, field] of Object.entries(fields)) {
    for (const inner of breakSchema(field, at ? `${at}.${name}` : name))
      yield { ...inner, value: { ...valid, [name]: inner.value } }
  }
  if (schema.else) {
    for (const [name, field] of Object.entries(schema.else.properties ?? {})) {
      if (field.minLength) yield broken('else', { ...valid, [name]: '' })
      if (field.minItems) yield broken('else', { ...valid, [name]: [] })
    }
  }
}

const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2027-03-01T09:00:00Z',
  date: '2027-03-01',
  uuid: '019331c2-5e1b-7c44-8d2f-1f5a0c7e9b10',
  email: 'someone@example.com',
  'web-url': 'https://tower.example/',
  'media-entry': '0123456789abcdef01234567',
}

function validValue(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.oneOf?.[0]) return validValue(schema.oneOf[0])
  if (schema.type === 'string') return validText(schema)
  if (schema.anyOf?.[0]) return validValue(schema.anyOf[0])
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => validValue(schema.items ?? {}))
    case 'object': {
      const names = [...(schema.required ?? []), ...(schema.else?.required ?? [])]
      return Object.fromEntries(names.map((name) => [name, validValue(schema.properties?.[name] ?? {})]))
    }
    default:
      return null
  }
}

function validText({ format, anyOf, pattern, minLength = 1 }: Schema): string {
  const named = format ?? anyOf?.[0]?.format
  if (named) return formatExamples[named] ?? 'x'
  if (!pattern) return 'x'.repeat(minLength)
  const candidates = ['x', '0123456789abcdef01234567', 'draft', 'text', 'bluesky', 'https://tower.example/']
  return candidates.find((text) => new RegExp(pattern).test(text)) ?? 'x'
}

/** Words of JSON Schema, of regular expressions and of validators. */
const jargon =
  /[Ss]chema|anyOf|oneOf|##|\^|\$|\\|[Pp]attern|[Mm]ust match|must NOT|instancePath|\bitems\b|propert(y|ies)|keyword|undefined|NaN|\[object/

function expectPlain(details: readonly Detail[], broken: Broken): void {
  for (const { path, code, message } of details) {
    const shown = { ...broken, value: JSON.stringify(broken.value)?.slice(0, 80), path, message }
    expect({ ...shown, isSentence: /^[A-Z“"].*[^.]\.$/.test(message) && !/\s{2}/.test(message) }).toMatchObject({
      isSentence: true,
    })
    expect({ ...shown, hasJargon: jargon.test(message) }).toMatchObject({ hasJargon: false })
    expect({ ...shown, isExplained: message !== unexplained.message && code !== undefined }).toMatchObject({ isExplained: true })
  }
  const named = details.map((detail) => detail.path + detail.message)
  expect(new Set(named).size).toBe(named.length)
}

function detailsOf(check: (value: unknown) => void, value: unknown): readonly Detail[] {
  try {
    check(structuredClone(value))
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.details ?? []
  }
}

const parts = ['body', 'query', 'params'] as const
const schemas = endpoints.flatMap((endpoint) =>
  parts.flatMap((part) => {
    const schema: TSchema | undefined = endpoint[part]
    return schema ? [{ name: `${endpoint.id} ${part}`, part, schema }] : []
  }),
)

describe('a wrong request', () => {
  test.each(schemas)('$name is explained in plain sentences', ({ part, schema }) => {
    const check = createValidator(schema, part)
    const plain = JSON.parse(JSON.stringify(schema)) as Schema
    let refused = 0
    for (const broken of breakSchema(plain, '')) {
      const details = detailsOf(check, broken.value)
      if (details.length > 0) refused++
      expectPlain(details, broken)
    }
    expect(refused).toBeGreaterThan(0)
  })

  test('is refused for every keyword that the contract uses', () => {
    const used = new Set<string>()
    const refused = new Set<string>()
    for (const { part, schema } of schemas) {
      const check = createValidator(schema, part)
      for (const broken of breakSchema(JSON.parse(JSON.stringify(schema)) as Schema, '')) {
        used.add(broken.keyword)
        if (detailsOf(check, broken.value).length > 0) refused.add(broken.keyword)
      }
    }
    expect([...used].filter((keyword) => !refused.has(keyword))).toEqual([])
    expect([...refused].toSorted()).toEqual(
      expect.arrayContaining(['type', 'enum', 'pattern', 'maxLength', 'uniqueItems', 'else']),
    )
  })
})

test.each(platforms)('wrong settings of %s are explained in plain sentences', (platform) => {
  const { settings } = connectors[platform]
  let refused = 0
  for (const broken of breakSchema(JSON.parse(JSON.stringify(settings)) as Schema, '')) {
    const details = listSchemaProblems(settings, broken.value)
    if (details.length > 0) refused++
    expectPlain(details, broken)
  }
  expect(refused).toBeGreaterThan(0)
})

test.each([
  ['content.createText', { connections: 5 }, 'connections', 'Must be a list.'],
  ['content.createText', { connections: ['x', 'x'], text: 'a' }, 'connections', 'Must not contain the same entry twice: x.'],
  ['content.createText', { connections: ['x'], text: '' }, 'text', 'Must not be empty.'],
  ['content.createText', { connections: [], text: 'a' }, 'connections', 'Must have at least 1 entry; this has none.'],
  ['content.createText', { connections: ['x'], firstComment: 5 }, 'firstComment', 'Must be an object or a text.'],
  ['content.createText', { connections: ['x'], firstComment: { text: '' } }, 'firstComment.text', 'Must not be empty.'],
  ['content.createPhotos', { connections: ['x'] }, 'medias', 'This field is required.'],
  [
    'content.createPhotos',
    { connections: ['x'], medias: ['picture.png'] },
    'medias[0]',
    'Must be the id of a file in the media library, or an address that starts with http:// or https://.',
  ],
  ['content.update', { text: 5 }, 'text', 'Must be a text or null.'],
  [
    'content.update',
    { contentFormat: 'opera' },
    'contentFormat',
    'Must be one of text, photo, photo_carousel, story, video, short_video, document.',
  ],
  ['content.update', { surprise: 1 }, 'surprise', 'This field is not known here.'],
])('%s with %o says it of %s', (id, body, path, message) => {
  const endpoint = endpoints.find((each) => each.id === id)
  const details = detailsOf(createValidator(endpoint?.body, 'body'), body)
  expect(details.map((each) => [each.path, each.message])).toEqual([[path, message]])
})
