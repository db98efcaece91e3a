import { asRecord } from '../../stack/services/json-request.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { document, openApiPath } from './open-api.ts'
import { readOperations, type Operation } from './read-operations.ts'

type Schema = Record<string, unknown>

// The class of errors has this name already, and the envelope of an error is never seen by a program.
const renamed: Readonly<Record<string, string>> = { Error: 'ErrorBody' }
const unexported = new Set(['ErrorAnswer'])

const header = `# ${generatedFrom(openApiPath)}
"""The objects of the API. Their fields have the names of the API reference."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NotRequired, TypeAlias, TypedDict

from .file import File

FileToSend: TypeAlias = Path | File
"""A path is read only while it is sent."""

# The result of a create depends on three fields of its body. One of them is a keyword of Python.
_Sync = TypedDict(
    "_Sync", {"saveDraft": NotRequired[Literal[False]], "submit": NotRequired[Literal[False]], "async": NotRequired[Literal[False]]}
)
_Draft = TypedDict("_Draft", {"saveDraft": Literal[True], "submit": NotRequired[bool], "async": NotRequired[bool]})
_Submitted = TypedDict("_Submitted", {"submit": Literal[True], "saveDraft": NotRequired[bool], "async": NotRequired[bool]})
_Async = TypedDict(
    "_Async", {"async": Literal[True], "saveDraft": NotRequired[Literal[False]], "submit": NotRequired[Literal[False]]}
)`

/** The fields that decide what a create returns, and what each combination of them returns. */
const modeFields: ReadonlySet<string> = new Set(['saveDraft', 'submit', 'async'])
export const createModes = [
  {
    suffix: 'Sync',
    result: 'AcceptedSync',
    about: 'Published at once, at its time or from a queue: the response has the id of the post.',
  },
  { suffix: 'Draft', result: 'AcceptedDraft', about: 'Saved as a draft.' },
  { suffix: 'Submitted', result: 'AcceptedDraft', about: 'Handed in for approval.' },
  { suffix: 'Async', result: 'AcceptedAsync', about: 'Answered before the post exists: `content.status` has the id later.' },
] as const

const keywords = new Set(['async', 'from', 'class', 'import', 'in', 'is', 'not', 'or', 'and', 'with', 'pass', 'global', 'None'])
const columnsMax = 130

/** One TypedDict for every object of the API, so that a type checker knows the fields of requests and responses. */
export const pythonTypes: FileGenerator = {
  name: 'Python types',
  make: () => [{ path: 'python/src/carillon/types.py', text: writeTypes() }],
}

function writeTypes(): string {
  const module = new PythonModule()
  for (const [name, schema] of Object.entries(asRecord(asRecord(document['components'])['schemas'])))
    if (!unexported.has(name)) module.declare(nameOf(name), asRecord(schema))
  for (const operation of readOperations(document)) {
    const { query, body, data } = schemasOf(operation)
    if (query) module.declare(queryName(operation), query)
    if (body && !isReference(body)) module.declare(bodyName(operation), body)
    if (data && isObject(data)) module.declare(resultName(operation), data)
    // The items of a list, and the objects inside of a union.
    else if (data) module.typeOf(data, resultName(operation))
  }
  return `${[header, ...module.blocks('literal'), ...module.blocks('class'), ...module.blocks('alias')].join('\n\n')}\n`
}

/** Collects declarations: literals come first and unions last, because only classes may name what comes later. */
class PythonModule {
  private readonly declared = new Map<string, { kind: 'literal' | 'class' | 'alias'; text: string }>()

  blocks(kind: 'literal' | 'class' | 'alias'): string[] {
    return [...this.declared.values()].filter((each) => each.kind === kind).map(({ text }) => text)
  }

  declare(name: string, schema: Schema): void {
    if (this.declared.has(name)) throw new Error(`two objects of the API would both be called ${name} in Python`)
    if (isObject(schema)) return this.declareClass(name, schema)
    const kind = 'enum' in schema ? 'literal' : 'alias'
    // It keeps its place: what is inside is declared before it.
    const type = this.typeOf(schema, name)
    const wrapped = `${name}: TypeAlias = ${type}`.length > columnsMax ? `(\n    ${type.replaceAll(' | ', '\n    | ')}\n)` : type
    const long = kind === 'literal' && wrapped !== type ? wrapLiteral(type) : wrapped
    this.declared.set(name, { kind, text: `${name}: TypeAlias = ${long}${docstring(schema, '')}` })
  }

  typeOf(schema: Schema, hint: string): string {
    if (typeof schema['$ref'] === 'string') return nameOf(schema['$ref'].replace('#/components/schemas/', ''))
    if ('const' in schema) return `Literal[${literal(schema['const'])}]`
    if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(literal).join(', ')}]`
    if (Array.isArray(schema['anyOf'])) return this.union(schema['anyOf'].map(asRecord), hint)
    if ('contentMediaType' in schema) return 'FileToSend'
    return this.plainType(schema, hint)
  }

  private plainType(schema: Schema, hint: string): string {
    switch (schema['type']) {
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return `list[${this.typeOf(asRecord(schema['items'] ?? {}), `${hint}Item`)}]`
      case 'object':
        return this.objectType(schema, hint)
      default:
        // Any JSON value: a program has to look what it is.
        return 'object'
    }
  }

  private objectType(schema: Schema, hint: string): string {
    if (isObject(schema)) {
      this.declare(hint, schema)
      return hint
    }
    const values = schema['additionalProperties']
    return `dict[str, ${typeof values === 'object' && values !== null ? this.typeOf(asRecord(values), `${hint}Value`) : 'object'}]`
  }

  private union(choices: readonly Schema[], hint: string): string {
    const objects = choices.filter(isObject)
    const types = choices.map((each) => this.typeOf(each, objects.length > 1 ? `${hint}${objects.indexOf(each) + 1}` : hint))
    return [...new Set(types)].join(' | ')
  }

  private declareClass(name: string, schema: Schema): void {
    const fields = Object.entries(asRecord(schema['properties'])).map(([field, value]) => ({ field, value: asRecord(value) }))
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
    const isCreate = fields.filter(({ field }) => modeFields.has(field)).length === modeFields.size
    // The name is taken before those of the fields: what is inside comes after it.
    this.declared.set(name, { kind: 'class', text: '' })
    const typed = fields.map(({ field, value }) => {
      const type = this.typeOf(value, `${name}${capitalize(field)}`)
      return { field, value, type: required.has(field) ? type : `NotRequired[${type}]` }
    })
    const own = isCreate ? typed.filter(({ field }) => !modeFields.has(field)) : typed
    const text = isCreate
      ? [
          ...classBlocks(`_${name}Fields`, {}, own),
          ...variants(
            name,
            typed.filter(({ field }) => modeFields.has(field)),
          ),
        ]
      : classBlocks(name, schema, own)
    this.declared.set(name, { kind: 'class', text: text.join('\n\n') })
  }
}

type TypedField = { field: string; value: Schema; type: string }

function classBlocks(name: string, schema: Schema, fields: readonly TypedField[]): string[] {
  const reserved = fields.filter(({ field }) => keywords.has(field))
  const base = reserved.length > 0 ? `_${name}Keywords` : 'TypedDict'
  const lines = fields
    .filter(({ field }) => !keywords.has(field))
    .map(({ field, value, type }) => `    ${field}: ${type}${docstring(value, '    ')}`)
  const about = docstring(schema, '    ').trimStart()
  return [
    ...(reserved.length > 0 ? [keywordBase(base, reserved)] : []),
    [`class ${name}(${base}):`, ...(about ? [`    ${about}\n`] : []), ...(lines.length > 0 || about ? lines : ['    pass'])].join(
      '\n',
    ),
  ]
}

function keywordBase(name: string, fields: readonly TypedField[]): string {
  const items = fields.map(({ field, type }) => `"${field}": "${type}"`)
  const line = `${name} = TypedDict("${name}", {${items.join(', ')}})`
  if (line.length <= columnsMax) return line
  return `${name} = TypedDict(\n    "${name}",\n    {\n${items.map((item) => `        ${item},\n`).join('')}    },\n)`
}

/** A create has one class for each kind of result, and one for a program that knows the kind only when it runs. */
function variants(name: string, modes: readonly TypedField[]): string[] {
  return [
    ...createModes.map(({ suffix, about }) => `class ${name}${suffix}(_${name}Fields, _${suffix}):\n    """${about}"""`),
    keywordBase(`_${name}Modes`, modes),
    `class ${name}(_${name}Fields, _${name}Modes):\n    """With any of these fields: look into the response for what it is."""`,
  ]
}

function docstring(schema: Schema, indent: string): string {
  const { description } = schema
  if (typeof description !== 'string') return ''
  const text = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const lines = wrap(`"""${text.endsWith('"') ? `${text} ` : text}"""`, columnsMax - indent.length)
  return lines.map((line) => `\n${indent}${line}`).join('')
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function wrapLiteral(type: string): string {
  return `Literal[\n${type
    .slice('Literal['.length, -1)
    .split(', ')
    .map((each) => `    ${each},\n`)
    .join('')}]`
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function isObject(schema: Schema): boolean {
  return schema['type'] === 'object' && Object.keys(asRecord(schema['properties'] ?? {})).length > 0
}

function isReference(schema: Schema): boolean {
  return typeof schema['$ref'] === 'string'
}

function nameOf(name: string): string {
  return renamed[name] ?? name
}

/** The query, the body and the data of the response of an operation, as schemas. A form also takes what JSON takes. */
function schemasOf({ path, method, body }: Operation): { query: Schema | null; body: Schema | null; data: Schema | null } {
  const operation = asRecord(asRecord(document.paths[path])[method.toLowerCase()])
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).map(asRecord)
  const inQuery = parameters.filter((each) => each['in'] === 'query')
  const content = asRecord(asRecord(operation['requestBody'] ?? {})['content'] ?? {})
  const media = content[body === 'form' ? 'multipart/form-data' : 'application/json']
  return {
    query: inQuery.length > 0 ? querySchema(inQuery) : null,
    body: body === 'none' ? null : asRecord(asRecord(media)['schema']),
    data: dataSchema(asRecord(operation['responses'])),
  }
}

function querySchema(parameters: readonly Schema[]): Schema {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        String(name),
        { ...asRecord(schema), ...(description !== undefined && { description }) },
      ]),
    ),
  }
}

function dataSchema(responses: Schema): Schema | null {
  const success = asRecord(responses['200'] ?? responses['201'] ?? {})
  const { schema } = asRecord(asRecord(success['content'] ?? {})['application/json'] ?? {})
  const data = asRecord(asRecord(schema ?? {})['properties'] ?? {})['data']
  return data === undefined ? null : asRecord(data)
}

export function bodyName(operation: Operation): string {
  const { body } = schemasOf(operation)
  return body && isReference(body)
    ? nameOf(String(body['$ref']).replace('#/components/schemas/', ''))
    : `${operationName(operation)}Body`
}

export function queryName(operation: Operation): string {
  return `${operationName(operation)}Query`
}

function resultName(operation: Operation): string {
  return `${operationName(operation)}Result`
}

/** The type of what an operation returns. The names inside are those of the module with the types. */
export function resultType(operation: Operation): string {
  const { data } = schemasOf(operation)
  return data ? new PythonModule().typeOf(data, resultName(operation)) : 'None'
}

/** The type of one item of a list in pages. */
export function itemType(operation: Operation, items: string): string {
  const { data } = schemasOf(operation)
  const page = data && isReference(data) ? namedSchema(String(data['$ref'])) : (data ?? {})
  const list = items === '' ? page : asRecord(asRecord(page['properties'])[items])
  const name =
    data && isReference(data) ? nameOf(String(data['$ref']).replace('#/components/schemas/', '')) : resultName(operation)
  return new PythonModule().typeOf(asRecord(list['items']), `${name}${items === '' ? '' : capitalize(items)}Item`)
}

function namedSchema(reference: string): Schema {
  return asRecord(asRecord(asRecord(document['components'])['schemas'])[reference.replace('#/components/schemas/', '')])
}

function operationName({ subject, name }: Operation): string {
  return `${capitalize(subject)}${capitalize(name)}`
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
