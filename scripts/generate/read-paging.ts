import type { OpenApi } from '../../contract/src/openapi/build-open-api.ts'
import { asRecord } from '../../stack/services/json-request.ts'

/** How the pages of a list are walked. */
export type Paging = {
  /** The field of the page that holds what is listed; null where the page itself says something about it and is given whole. */
  items: string | null
  /** Where the page says how to go on. */
  next: 'nextCursor' | 'meta.nextCursor'
  /** The largest page there is, where that can be asked for. */
  limitMax: number | null
  /** Can anything but the page be asked for? */
  isFiltered: boolean
}

// What a page says about paging alone.
const pagingWords = new Set(['meta', 'nextCursor', 'total', 'page', 'limit'])

/** Null for what comes whole. A list in pages that cannot be walked is a mistake of the contract. */
export function readPaging(document: OpenApi, operation: Record<string, unknown>): Paging | null {
  const query = queryFields(operation)
  if (!query.has('cursor') && !query.has('page')) return null
  const page = pageFields(document, operation)
  const next = 'nextCursor' in page ? 'nextCursor' : 'nextCursor' in fieldsOf(document, page['meta']) ? 'meta.nextCursor' : null
  if (!query.has('cursor') || !next)
    throw new Error(`${String(operation['operationId'])} has pages, but no cursor to walk them by`)
  const said = Object.keys(page).filter((name) => !pagingWords.has(name))
  const [only = null] = said
  const limitMax = query.get('limit')?.['maximum']
  return {
    items: said.length === 1 ? only : null,
    next,
    limitMax: typeof limitMax === 'number' ? limitMax : null,
    isFiltered: [...query.keys()].some((name) => name !== 'cursor' && name !== 'page'),
  }
}

function queryFields(operation: Record<string, unknown>): Map<string, Record<string, unknown>> {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].map(asRecord) : []
  const inQuery = parameters.filter((parameter) => parameter['in'] === 'query')
  return new Map(inQuery.map(({ name, schema }) => [String(name), asRecord(schema)]))
}

function pageFields(document: OpenApi, operation: Record<string, unknown>): Record<string, unknown> {
  const answer = asRecord(asRecord(operation['responses'])['200'])
  const { schema } = asRecord(asRecord(answer['content'])['application/json'])
  return fieldsOf(document, fieldsOf(document, schema)['data'])
}

function fieldsOf(document: OpenApi, schema: unknown): Record<string, unknown> {
  const { $ref, properties } = asRecord(schema ?? {})
  if (typeof $ref !== 'string') return asRecord(properties ?? {})
  const named = asRecord(asRecord(document['components'])['schemas'])[$ref.replace('#/components/schemas/', '')]
  return fieldsOf(document, named)
}
