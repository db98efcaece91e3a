import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { document, openApiPath } from './open-api.ts'
import { bodyName, createModes, itemType, queryName, resultType } from './python-types.ts'
import { readOperations, type Operation } from './read-operations.ts'
import type { Paging } from './read-paging.ts'

/** Subjects with methods that combine several operations. These are written by hand. */
const handWritten: Readonly<Record<string, { module: string; name: string }>> = {
  content: { module: 'wait_until_finished', name: 'WaitsUntilFinished' },
  media: { module: 'upload_file', name: 'UploadsFiles' },
}

const header = `# ${generatedFrom(openApiPath)}
"""One method for every operation: \`content.createText\` is \`carillon.content.create_text\`."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping
from typing import Unpack, cast, overload

from . import types
from .call_options import CallOptions
from .transport import Transport, segment
${Object.values(handWritten)
  .toSorted((a, b) => a.module.localeCompare(b.module))
  .map(({ module, name }) => `from .${module} import ${name}`)
  .join('\n')}
from .walk_pages import walk_pages
`

/**
 * The same operations as in the SDK, in Python. The arguments are always the path parameters, the body, the query, and the options of the call
 * by name.
 */
export const pythonMethods: FileGenerator = {
  name: 'Python methods',
  make() {
    const subjects = [...Map.groupBy(readOperations(document), ({ subject }) => subject)]
    const text = [
      header,
      ...subjects.map(([subject, operations]) => writeClass(subject, operations)),
      writeAll(subjects.map(([name]) => name)),
    ]
    return [{ path: 'python/src/carillon/methods.py', text: `${text.join('\n\n')}\n` }]
  },
}

function writeClass(subject: string, operations: readonly Operation[]): string {
  const base = handWritten[subject]
  const lines = [
    `class ${className(subject)}${base ? `(${base.name})` : ''}:`,
    '    def __init__(self, transport: Transport) -> None:',
    '        self._transport = transport',
    ...operations.flatMap((operation) => [
      ...methodLines(operation),
      ...(operation.paging ? iterateLines(operation, operation.paging) : []),
    ]),
  ]
  return lines.join('\n')
}

function writeAll(subjects: readonly string[]): string {
  return [
    'class Methods:',
    '    """The subjects of the API."""',
    '',
    '    def __init__(self, transport: Transport) -> None:',
    ...subjects.map((subject) => `        self.${snake(subject)} = ${className(subject)}(transport)`),
  ].join('\n')
}

function methodLines(operation: Operation): string[] {
  const { name, summary, method, path, returnsAccepted } = operation
  const line = `        """${summary}. \`${method} ${path}\`"""`
  const about =
    line.length <= columnsMax ? [line] : [`        """${summary}.`, '', `        \`${method} ${path}\``, '        """']
  const overloads = returnsAccepted ? overloadLines(operation) : []
  return [
    ...overloads,
    '',
    ...signature(
      snake(name),
      returnsAccepted ? ['self', 'body: Mapping[str, object]', options] : args(operation),
      outside(result(operation)),
    ),
    ...about,
    ...callLines(operation),
  ]
}

function overloadLines(operation: Operation): string[] {
  const all = [...createModes.map(({ suffix, result: type }) => ({ suffix, type })), { suffix: '', type: 'Accepted' }]
  return all.flatMap(({ suffix, type }) => [
    '',
    '    @overload',
    ...signature(
      snake(operation.name),
      ['self', `body: types.${bodyName(operation)}${suffix}`, options],
      `types.${type}`,
      ' ...',
    ),
  ])
}

function callLines(operation: Operation, query?: string): string[] {
  const { method, isBesideApi, needsWorkspace, returnsText, body } = operation
  const named = [
    ...(body === 'none' ? [] : ['body=body']),
    ...queryArgument(operation, query),
    ...(needsWorkspace ? [] : ['in_workspace=False']),
    ...(isBesideApi ? ['beside_api=True'] : []),
  ]
  const send = returnsText ? 'send_for_text' : 'send'
  const call = `self._transport.${send}(${[`"${method}"`, pathText(operation), 'options', ...named].join(', ')})`
  if (returnsText) return [`        return ${call}`]
  return castLines('        return ', result(operation), call, '')
}

function queryArgument({ query }: Operation, given?: string): string[] {
  if (given !== undefined) return [`query=${given}`]
  if (query.kind === 'none') return []
  return [query.kind === 'single' ? `query={"${query.name}": ${snake(query.name)}}` : 'query=query']
}

/** The method `content.iterate` for `content.list`, `workspaces.iterate_audit` for `workspaces.audit`. */
function iterateLines(operation: Operation, { items, next, limitMax, isFiltered }: Paging): string[] {
  const { id, name, pathParams } = operation
  const type = items === null ? result(operation) : itemType(operation, items)
  const parameters = [
    'self',
    ...pathParams.map((each) => `${snake(each)}: str`),
    ...(isFiltered ? [queryParameter(operation, false)] : []),
    options,
  ]
  const fields = [...(limitMax === null ? [] : [`"limit": ${limitMax}`]), ...(isFiltered ? ['**(query or {})'] : []), '**cursor']
  const place = operation.needsWorkspace ? '' : ', in_workspace=False'
  const call = `self._transport.send("${operation.method}", ${pathText(operation)}, options, query={${fields.join(', ')}}${place})`
  return [
    '',
    ...signature(name === 'list' ? 'iterate' : `iterate_${snake(name)}`, parameters, `Iterator[${outside(type)}]`),
    `        """${items === null ? 'Page after page' : 'Everything on all pages'} of \`${id}\`."""`,
    '        return walk_pages(',
    ...castLines('            lambda cursor: ', result(operation), call, ','),
    `            lambda page: ${items === null ? '[page]' : items === '' ? 'page' : `page["${items}"]`},`,
    `            lambda page: ${nextCursor(next)},`,
    '        )',
  ]
}

function signature(name: string, parameters: readonly string[], type: string, end = ''): string[] {
  const line = `    def ${name}(${parameters.join(', ')}) -> ${type}:${end}`
  return line.length <= columnsMax
    ? [line]
    : [`    def ${name}(`, ...parameters.map((each) => `        ${each},`), `    ) -> ${type}:${end}`]
}

function castLines(before: string, type: string, call: string, after: string): string[] {
  const line = `${before}cast("${outside(type)}", ${call})${after}`
  if (line.length <= columnsMax) return [line]
  const indent = ' '.repeat(before.length - before.trimStart().length)
  return [`${before}cast(`, `${indent}    "${outside(type)}",`, `${indent}    ${call},`, `${indent})${after}`]
}

function nextCursor(next: Paging['next']): string {
  if (next === 'nextCursor') return 'page["nextCursor"]'
  if (next === 'meta.nextCursor') return 'page["meta"]["nextCursor"]'
  return 'page[-1]["id"] if page else None'
}

const columnsMax = 130
const options = '**options: Unpack[CallOptions]'

function args(operation: Operation): string[] {
  const { pathParams, body, isBodyRequired, query } = operation
  return [
    'self',
    ...pathParams.map((name) => `${snake(name)}: str`),
    ...(body === 'none' ? [] : [`body: types.${bodyName(operation)}${isBodyRequired ? '' : ' = {}'}`]),
    // A query with one required field becomes a plain argument: `status(request_id)`.
    ...(query.kind === 'single' ? [`${snake(query.name)}: str`] : []),
    ...(query.kind === 'fields' ? [queryParameter(operation, query.isRequired)] : []),
    options,
  ]
}

function queryParameter(operation: Operation, isRequired: boolean): string {
  return `query: types.${queryName(operation)}${isRequired ? '' : ' | None = None'}`
}

function result(operation: Operation): string {
  return operation.returnsText ? 'str' : resultType(operation)
}

/** The type as the module with the methods has to write it: a method called `list` hides the type. */
function outside(type: string): string {
  return type
    .replaceAll(/\b[A-Z]\w*/g, (name) => (name === 'None' || name === 'Iterator' ? name : `types.${name}`))
    .replaceAll(/\blist\[/g, 'builtins.list[')
}

function pathText({ path, pathParams }: Operation): string {
  const filled = pathParams.reduce((text, name) => text.replace(`{${name}}`, `{segment(${snake(name)})}`), path)
  return pathParams.length > 0 ? `f"${filled}"` : `"${filled}"`
}

function className(subject: string): string {
  return `${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}Methods`
}

function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return text === 'import' ? 'import_' : text
}
