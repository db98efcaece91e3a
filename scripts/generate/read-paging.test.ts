import { expect, test } from 'vitest'
import { readPaging } from './read-paging.ts'

/** Guarantee: a list that comes in pages is either walked rightly or refused by the generator, never left out. */
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

test('the field that is listed, and where the cursor is, by reference too', () => {
  const list = operation(['limit', 'cursor'], { $ref: '#/components/schemas/Page' })
  expect(readPaging(document, list)).toEqual({ items: 'data', next: 'meta.nextCursor', limitMax: 100, isFiltered: true })
})

test('a page that says something about what it holds is given whole', () => {
  const list = operation(['cursor'], { properties: { part: {}, records: {}, nextCursor: {} } })
  expect(readPaging(document, list)).toEqual({ items: null, next: 'nextCursor', limitMax: null, isFiltered: false })
})

test('pages without a cursor are refused, and what has no pages is none', () => {
  expect(() => readPaging(document, operation(['page'], { properties: { results: {}, total: {} } }))).toThrow('things.list')
  expect(() => readPaging(document, operation(['cursor'], { properties: { results: {} } }))).toThrow('no cursor')
  expect(readPaging(document, operation(['status'], { properties: { results: {} } }))).toBeNull()
})
