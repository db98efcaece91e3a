import { expect, test } from 'vitest'
import { readPaging } from './read-paging.ts'

/** Guarantee: for a list in pages, the generator either finds out how to read all pages or throws; it never ignores the pages. */
const document = {
  paths: {},
  components: { schemas: { Page: { properties: { data: {}, meta: { properties: { nextCursor: {} } } } } } },
}

function operation(query: string[], data: object) {
  return {
    operationId: 'things.list',
    parameters: query.map((name) => ({ name, in: 'query', schema: name === 'limit' ? { maximum: 100 } : {} })),
    responses: { 200: { content: { 'application/json': { schema: { properties: { data } } } } } },
  }
}

test('finds the field with the items and the cursor, also through a $ref', () => {
  const list = operation(['limit', 'cursor'], { $ref: '#/components/schemas/Page' })
  expect(readPaging(document, list)).toEqual({ items: 'data', next: 'meta.nextCursor', limitMax: 100, isFiltered: true })
})

test('a page with other fields about its items is returned whole', () => {
  const list = operation(['cursor'], { properties: { part: {}, records: {}, nextCursor: {} } })
  expect(readPaging(document, list)).toEqual({ items: null, next: 'nextCursor', limitMax: null, isFiltered: false })
})

test('a page that is the list itself goes on after the id of its last item', () => {
  const list = operation(['limit', 'cursor'], { type: 'array', items: {} })
  expect(readPaging(document, list)).toEqual({ items: '', next: 'at(-1)?.id ?? null', limitMax: 100, isFiltered: true })
})

test('pages without a cursor are refused, and a list without pages gives null', () => {
  expect(() => readPaging(document, operation(['page'], { properties: { results: {}, total: {} } }))).toThrow('things.list')
  expect(() => readPaging(document, operation(['cursor'], { properties: { results: {} } }))).toThrow('no cursor')
  expect(readPaging(document, operation(['status'], { properties: { results: {} } }))).toBeNull()
})
