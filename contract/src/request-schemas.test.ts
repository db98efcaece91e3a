import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { isObject, toPlainJson } from './openapi/json.ts'

/** Guarantee: every number in a request has limits, so that none reaches the database that it cannot represent. */
const requests = endpoints.flatMap(({ id, params, query, body }) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) => (schema ? [{ name: `${id} ${part}`, schema }] : [])),
)

test.each(requests)('the numbers of $name have a minimum and a maximum', ({ schema }) => {
  for (const [path, node] of walk(toPlainJson(schema), '')) {
    if (node['type'] !== 'integer' && node['type'] !== 'number') continue
    expect({ path, ...node }).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) })
    expect(Number(node['maximum'])).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  }
})

/** Guarantee: every text in a request has a largest length. */
test.each(requests)('the texts of $name have a largest length', ({ schema }) => {
  for (const [path, node] of walk(toPlainJson(schema), '')) {
    if (node['type'] !== 'string' || 'enum' in node || 'const' in node) continue
    const isBounded =
      'maxLength' in node || 'format' in node || 'anyOf' in node || String(node['pattern']).startsWith('^[0-9a-f]')
    expect({ path, isBounded }).toEqual({ path, isBounded: true })
  }
})

function* walk(node: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (!isObject(node)) return
  yield [path, node]
  for (const [key, inner] of Object.entries(node)) {
    if (Array.isArray(inner)) for (const [index, each] of inner.entries()) yield* walk(each, `${path}/${key}/${index}`)
    else yield* walk(inner, `${path}/${key}`)
  }
}
