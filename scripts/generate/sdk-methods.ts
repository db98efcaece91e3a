import { generatedFrom, type Job } from './job.ts'
import { document, openApiPath } from './open-api.ts'
import { readOperations, type Operation } from './read-operations.ts'

/**
 * One method for every operation: `content.createText` becomes `carillon.content.createText`. Its arguments are always the path's
 * parameters, the body, the query, then the options of the call.
 */
export const sdkMethods: Job = {
  name: 'SDK methods',
  make() {
    const subjects = Map.groupBy(readOperations(document), ({ subject }) => subject)
    const lines = [
      `// ${generatedFrom(openApiPath)}`,
      `import { overloadCreate } from './create.ts'`,
      `import type { Body, CallOptions, Query, Result } from './operation.ts'`,
      `import type { Wire } from './wire.ts'`,
      `import { writeBody } from './write-body.ts'`,
      '',
      'export function createMethods({ client, send, sendForText }: Wire) {',
      '  return {',
      ...[...subjects].flatMap(([subject, operations]) => [`    ${subject}: {`, ...operations.flatMap(methodLines), '    },']),
      '  }',
      '}',
    ]
    return [{ path: 'sdk/src/methods.gen.ts', text: `${lines.join('\n')}\n` }]
  },
}

function methodLines(operation: Operation): string[] {
  const { id, name, summary, method, path } = operation
  const send = operation.answersText ? 'sendForText' : `send<Result<'${id}'>>`
  const call = `${send}(options, (call) => client.${method}('${path}', { ${init(operation)} }))`
  const run = `(${args(operation).join(', ')}) =>\n        ${call}`
  return [
    `      /** ${summary}. \`${method} ${path}\` */`,
    `      ${name}: ${operation.answersAccepted ? `overloadCreate(${run})` : run},`,
  ]
}

function args({ id, pathParams, body, query }: Operation): string[] {
  return [
    ...pathParams.map((name) => `${name}: string`),
    ...(body === 'none' ? [] : [`body: Body<'${id}'>`]),
    ...queryArg(id, query),
    'options?: CallOptions',
  ]
}

function queryArg(id: string, query: Operation['query']): string[] {
  if (query.kind === 'none') return []
  // A query of one required field is that field: `status(requestId)`, not `status({ requestId })`.
  if (query.kind === 'single') return [`${query.name}: Query<'${id}'>['${query.name}']`]
  return [query.isRequired ? `query: Query<'${id}'>` : `query: Query<'${id}'> = {}`]
}

function init({ pathParams, body, query, needsWorkspace, answersText }: Operation): string {
  const params = [
    ...(pathParams.length > 0 ? [`path: { ${pathParams.join(', ')} }`] : []),
    ...(query.kind === 'single' ? [`query: { ${query.name} }`] : []),
    ...(query.kind === 'fields' ? ['query'] : []),
    ...(needsWorkspace ? ['header: call.inWorkspace()'] : []),
  ]
  return [
    '...call.init',
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(body === 'none' ? [] : ['body']),
    ...(body === 'form' ? ['bodySerializer: writeBody'] : []),
    ...(answersText ? [`parseAs: 'text'`] : []),
  ].join(', ')
}
