import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { document, openApiPath } from './open-api.ts'
import { readOperations, type Operation } from './read-operations.ts'
import type { Paging } from './read-paging.ts'

/**
 * The query options of the web app, one for every GET operation: `content.get` becomes `contentGet(workspaceId, id)`. A key is always the
 * operation, the workspace and the arguments, so that a change can invalidate everything that an operation returned. A list in pages has
 * a second function, `contentListPages`, that reads page after page.
 */
export const webQueries: FileGenerator = {
  name: 'queries of the web app',
  make() {
    const operations = readOperations(document).filter(({ method, returnsText }) => method === 'GET' && !returnsText)
    const lines = [
      `// ${generatedFrom(openApiPath)}`,
      `import type { Query } from '@carillon/sdk'`,
      `import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'`,
      `import { carillon } from './client.ts'`,
      ...operations.flatMap((operation) => [
        '',
        ...queryLines(operation),
        ...(operation.paging ? ['', ...pagesLines(operation, operation.paging)] : []),
      ]),
    ]
    return [{ path: 'web/src/api/queries.gen.ts', text: `${lines.join('\n')}\n` }]
  },
}

function queryLines(operation: Operation): string[] {
  const { id, summary } = operation
  const names = [...positional(operation), ...queryArgument(operation)].map(({ name }) => name)
  return [
    `/** ${summary}. */`,
    `export function ${functionName(operation)}(${declare([...positional(operation), ...queryArgument(operation)])}) {`,
    '  return queryOptions({',
    `    queryKey: [${[`'${id}'`, ...names].join(', ')}],`,
    `    queryFn: ({ signal }) => ${callOf(operation, callArguments(operation))},`,
    '  })',
    '}',
  ]
}

function pagesLines(operation: Operation, { next }: Paging): string[] {
  const { id, query } = operation
  const filters =
    query.kind === 'fields' ? [{ name: 'query', type: `Omit<Query<'${id}'>, 'page' | 'cursor'>`, initial: '{}' }] : []
  const names = [...positional(operation), ...filters].map(({ name }) => name)
  const fields = `{ ${filters.length > 0 ? '...query, ' : ''}...(pageParam !== '' && { cursor: pageParam }) }`
  const args = [...operation.pathParams.map((name) => nameOf(operation, name)), fields]
  return [
    `/** Page after page of \`${id}\`. */`,
    `export function ${functionName(operation)}Pages(${declare([...positional(operation), ...filters])}) {`,
    '  return infiniteQueryOptions({',
    `    queryKey: [${[`'${id}'`, ...names, `'pages'`].join(', ')}],`,
    `    queryFn: ({ signal, pageParam }) => ${callOf(operation, args)},`,
    `    initialPageParam: '',`,
    `    getNextPageParam: (page) => page.${next},`,
    '  })',
    '}',
  ]
}

type Argument = { name: string; type: string; initial?: string }

/** The workspace comes first, whether the operation takes it from a header or from its path. */
function positional(operation: Operation): Argument[] {
  const header = operation.needsWorkspace ? [{ name: 'workspaceId', type: 'string' }] : []
  return [...header, ...operation.pathParams.map((name) => ({ name: nameOf(operation, name), type: 'string' }))]
}

function nameOf({ path }: Operation, parameter: string): string {
  return path.startsWith('/workspaces/{id}') && parameter === 'id' ? 'workspaceId' : parameter
}

function queryArgument({ id, query }: Operation): Argument[] {
  if (query.kind === 'none') return []
  if (query.kind === 'single') return [{ name: query.name, type: `Query<'${id}'>['${query.name}']` }]
  return [{ name: 'query', type: `Query<'${id}'>`, ...(!query.isRequired && { initial: '{}' }) }]
}

function callArguments(operation: Operation): string[] {
  const path = operation.pathParams.map((name) => nameOf(operation, name))
  return [...path, ...queryArgument(operation).map(({ name }) => name)]
}

function callOf({ subject, name, needsWorkspace }: Operation, args: readonly string[]): string {
  return `carillon.${subject}.${name}(${[...args, needsWorkspace ? '{ workspaceId, signal }' : '{ signal }'].join(', ')})`
}

function declare(args: readonly Argument[]): string {
  return args.map(({ name, type, initial }) => `${name}: ${type}${initial ? ` = ${initial}` : ''}`).join(', ')
}

function functionName({ subject, name }: Operation): string {
  return `${subject}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}
