import type { OpenApi } from '../../contract/src/openapi/build-open-api.ts'
import { asRecord } from '../../stack/services/json-request.ts'

/** How to go through the pages of a list. */
export type Paging = {
  /** The field with the listed items, empty if the page is the list itself; null if it has other fields about them, and is then returned whole. */
  items: string | null
  /** Where the page has the cursor of the next one. A plain list has none: the cursor is the id of its last item. */
  next: 'nextCursor' | 'meta.nextCursor' | 'at(-1)?.id ?? null'
  /** The largest page size, if the request has a limit. */
  limitMax: number | null
  /** Whether the request has parameters besides those for paging. */
  isFiltered: boolean
}

// Fields that are only about paging.
const pagingFields = new Set(['meta', 'nextCursor', 'total', 'page', 'limit'])

/** Returns null for an operation without pages. A list in pages without a cursor is a mistake in the contract. */
export function readPaging(document: OpenApi, operation: Record<string, unknown>): Paging | null {
  const query = queryFields(operation)
  if (!query.has('cursor') && !query.has('page')) return null
  const limitMax = query.get('limit')?.['maximum']
  const rest = {
    limitMax: typeof limitMax === 'number' ? limitMax : null,
    isFiltered: [...query.keys()].some((name) => name !== 'cursor' && name !== 'page'),
  }
  const data = dataOf(document, operation)
  if (query.has('cursor') && asRecord(data)['type'] === 'array') return { items: '', next: 'at(-1)?.id ?? null', ...rest }
  const page = fieldsOf(document, data)
  const next = 'nextCursor' in page ? 'nextCursor' : 'nextCursor' in fieldsOf(document, page['meta']) ? 'meta.nextCursor' : null
  if (!query.has('cursor') || !next)
    throw new Error(`${String(operation['operationId'])} has pages but no cursor to read them by`)
  const itemFields = Object.keys(page).filter((name) => !pagingFields.has(name))
  const [only = null] = itemFields
  return { items: itemFields.length === 1 ? only : null, next, ...rest }
}

function queryFields(operation: Record<string, unknown>): Map<string, Record<string, unknown>> {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].map(asRecord) : []
  const inQuery = parameters.filter((parameter) => parameter['in'] === 'query')
  return new Map(inQuery.map(({ name, schema }) => [String(name), asRecord(schema)]))
}

function dataOf(document: OpenApi, operation: Record<string, unknown>): unknown {
  const response = asRecord(asRecord(operation['responses'])['200'])
  const { schema } = asRecord(asRecord(response['content'])['application/json'])
  return fieldsOf(document, schema)['data']
}

function fieldsOf(document: OpenApi, schema: unknown): Record<string, unknown> {
  const { $ref, properties } = asRecord(schema ?? {})
  if (typeof $ref !== 'string') return asRecord(properties ?? {})
  const named = asRecord(asRecord(document['components'])['schemas'])[$ref.replace('#/components/schemas/', '')]
  return fieldsOf(document, named)
}
