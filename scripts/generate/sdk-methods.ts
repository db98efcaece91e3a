import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { document, openApiPath } from './open-api.ts'
import { readOperations, type Operation } from './read-operations.ts'
import type { Paging } from './read-paging.ts'

/**
 * One method for every operation: `content.createText` becomes `carillon.content.createText`. Its arguments are always the path
 * parameters, the body, the query and the options of the call. A list in pages has a second method that reads all of them.
 */
export const sdkMethods: FileGenerator = {
  name: 'SDK methods',
  make() {
    const subjects = Map.groupBy(readOperations(document), ({ subject }) => subject)
    const lines = [
      `// ${generatedFrom(openApiPath)}`,
      `import { checkOptions } from './check-options.ts'`,
      `import { overloadCreate } from './overload-create.ts'`,
      `import type { Body, CallOptions, Query, Result } from './operation.ts'`,
      `import { walkPages } from './walk-pages.ts'`,
      `import type { Transport } from './create-transport.ts'`,
      `import { serializeBody } from './serialize-body.ts'`,
      '',
      'export function createMethods({ client, send, sendForText }: Transport) {',
      '  return {',
      ...[...subjects].flatMap(([subject, operations]) => [`    ${subject}: {`, ...operations.flatMap(linesOf), '    },']),
      '  }',
      '}',
    ]
    return [{ path: 'sdk/src/methods.gen.ts', text: `${lines.join('\n')}\n` }]
  },
}

function linesOf(operation: Operation): string[] {
  return [...methodLines(operation), ...(operation.paging ? iterateLines(operation, operation.paging) : [])]
}

function methodLines(operation: Operation): string[] {
  const { name, summary, method, path } = operation
  const run = `(${args(operation).join(', ')}) =>\n        ${callOf(operation)}`
  return [
    `      /** ${summary}. \`${method} ${path}\` */`,
    `      ${name}: ${operation.returnsAccepted ? `overloadCreate(${run})` : run},`,
  ]
}

/** The method `content.iterate` for `content.list`, `workspaces.iterateAudit` for `workspaces.audit`. */
function iterateLines(operation: Operation, { items, next, limitMax, isFiltered }: Paging): string[] {
  const { id, name, pathParams } = operation
  const query = isFiltered ? [`query: Omit<Query<'${id}'>, 'page' | 'cursor'> = {}`] : []
  const queryFields = [...(limitMax === null ? [] : [`limit: ${limitMax}`]), ...(isFiltered ? ['...query'] : []), '...cursor']
  const iterateName = name === 'list' ? 'iterate' : `iterate${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  const what = items === null ? 'Page after page' : 'Everything on all pages'
  return [
    `      /** ${what} of \`${id}\`. */`,
    `      ${iterateName}: (${[...pathParams.map((each) => `${each}: string`), ...query, ...lastArgs].join(', ')}) =>`,
    `        walkPages((cursor) => ${callOf(operation, `query: { ${queryFields.join(', ')} }`)}, (page) => ${itemsOf(items)}, (page) => page.${next}),`,
  ]
}

function itemsOf(items: Paging['items']): string {
  if (items === null) return '[page]'
  return items === '' ? 'page' : `page.${items}`
}

function callOf(operation: Operation, query?: string): string {
  const { id, method, path } = operation
  const send = operation.returnsText ? 'sendForText' : `send<Result<'${id}'>>`
  return `${send}(checkOptions(options, more), (call) => client.${method}('${path}', { ${init(operation, query)} }))`
}

const lastArgs = ['options?: CallOptions', '...more: []']

function args({ id, pathParams, body, isBodyRequired, query }: Operation): string[] {
  return [
    ...pathParams.map((name) => `${name}: string`),
    ...(body === 'none' ? [] : [`body: Body<'${id}'>${isBodyRequired ? '' : ' = {}'}`]),
    ...queryArg(id, query),
    ...lastArgs,
  ]
}

function queryArg(id: string, query: Operation['query']): string[] {
  if (query.kind === 'none') return []
  // A query with one required field becomes a plain argument: `status(requestId)`, not `status({ requestId })`.
  if (query.kind === 'single') return [`${query.name}: Query<'${id}'>['${query.name}']`]
  return [query.isRequired ? `query: Query<'${id}'>` : `query: Query<'${id}'> = {}`]
}

function init({ pathParams, body, query, needsWorkspace, returnsText, isBesideApi }: Operation, queryArgument = 'query'): string {
  const params = [
    ...(pathParams.length > 0 ? [`path: { ${pathParams.join(', ')} }`] : []),
    ...(query.kind === 'single' ? [`query: { ${query.name} }`] : []),
    ...(query.kind === 'fields' ? [queryArgument] : []),
    ...(needsWorkspace ? ['header: call.inWorkspace()'] : []),
  ]
  return [
    '...call.init',
    ...(isBesideApi ? ['baseUrl: call.hostUrl'] : []),
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(body === 'none' ? [] : ['body']),
    ...(body === 'form' ? ['bodySerializer: serializeBody'] : []),
    ...(returnsText ? [`parseAs: 'text'`] : []),
  ].join(', ')
}
