import type { OpenApi } from '../../contract/src/openapi/build-open-api.ts'
import { asRecord } from '../../stack/services/json-request.ts'
import { readPaging, type Paging } from './read-paging.ts'

export type Operation = {
  id: string
  subject: string
  name: string
  summary: string
  method: string
  path: string
  /** Whether the path is below the host itself, not below the base path of the API. */
  isBesideApi: boolean
  pathParams: string[]
  query: { kind: 'none' } | { kind: 'single'; name: string } | { kind: 'fields'; isRequired: boolean }
  body: 'none' | 'json' | 'form'
  isBodyRequired: boolean
  needsWorkspace: boolean
  /** Whether the operation creates a post: the shape of its response depends on the request. */
  returnsAccepted: boolean
  /** Whether the response is a text file instead of JSON. */
  returnsText: boolean
  paging: Paging | null
}

type Parameter = { name: string; place: string; isRequired: boolean }

/** What the SDK needs to know about each operation, in the order of the document. */
export function readOperations(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, found]) => {
      const operation = asRecord(found)
      return { ...readOperation(path, method, operation), paging: readPaging(document, operation) }
    }),
  )
}

function readOperation(path: string, method: string, operation: Record<string, unknown>): Omit<Operation, 'paging'> {
  const id = String(operation['operationId'])
  const [subject, name, ...rest] = id.split('.')
  if (!subject || !name || rest.length > 0) throw new Error(`${id} is not of the form subject.method`)
  const parameters = asList(operation['parameters']).map(readParameter)
  return {
    id,
    subject,
    name,
    summary: String(operation['summary']),
    method: method.toUpperCase(),
    path,
    isBesideApi: operation['servers'] !== undefined,
    pathParams: parameters.filter(({ place }) => place === 'path').map((parameter) => parameter.name),
    query: readQuery(parameters.filter(({ place }) => place === 'query')),
    body: readBody(asRecord(asRecord(operation['requestBody'] ?? {})['content'] ?? {})),
    isBodyRequired: asRecord(operation['requestBody'] ?? {})['required'] === true,
    needsWorkspace: asList(operation['parameters']).some(
      (parameter) => asRecord(parameter)['$ref'] === '#/components/parameters/WorkspaceId',
    ),
    returnsAccepted: JSON.stringify(operation['responses']).includes('"#/components/schemas/Accepted"'),
    returnsText: /"(text\/csv|application\/jsonl)"/.test(JSON.stringify(operation['responses'])),
  }
}

function readBody(content: Record<string, unknown>): Operation['body'] {
  // An operation that also accepts a form may receive files, which only a form can contain.
  if ('multipart/form-data' in content) return 'form'
  return 'application/json' in content ? 'json' : 'none'
}

function readQuery(parameters: readonly Parameter[]): Operation['query'] {
  const [first, second] = parameters
  if (!first) return { kind: 'none' }
  if (!second && first.isRequired) return { kind: 'single', name: first.name }
  return { kind: 'fields', isRequired: parameters.some(({ isRequired }) => isRequired) }
}

function readParameter(value: unknown): Parameter {
  const { name, in: place, required } = asRecord(value)
  return { name: String(name), place: String(place), isRequired: required === true }
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
