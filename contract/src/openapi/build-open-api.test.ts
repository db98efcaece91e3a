import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { endpoints as api, endpointsBesideApi } from '../endpoints.ts'
import { getCases } from '../examples/get-cases.ts'
import { eventExamples } from '../examples/events.ts'
import { buildOpenApi } from './build-open-api.ts'
import { responseSchemas, requestSchemas } from './named-schemas.ts'
import { isObject } from './json.ts'
import { eventNames, WebhookEvent } from '../webhook-event.ts'

/** Guarantee: the document describes every endpoint, has no broken references, and all its examples are valid. */
const endpoints = [...api, ...endpointsBesideApi]
const document = buildOpenApi(endpoints, '1.2.3')

test('every endpoint is exactly one operation', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const ids = operations.map((operation) => (isObject(operation) ? String(operation['operationId']) : ''))
  expect(ids.toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted())
})

test('every path parameter is declared', () => {
  for (const { id, path, params } of endpoints) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const declared: unknown = params && 'properties' in params ? params['properties'] : {}
    expect({ id, names: Object.keys(isObject(declared) ? declared : {}).toSorted() }).toEqual({ id, names: inPath.toSorted() })
  }
})

test('every reference has a target', () => {
  for (const reference of findReferences(document)) {
    const target = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), document)
    expect({ reference, exists: target !== undefined }).toEqual({ reference, exists: true })
  }
})

test('no two names have the same schema', () => {
  const named = [...Object.entries(requestSchemas), ...Object.entries(responseSchemas)]
  const byContent = Map.groupBy(named, ([, schema]) => JSON.stringify(schema))
  expect([...byContent.values()].filter((same) => same.length > 1).map((same) => same.map(([name]) => name))).toEqual([])
})

test('endpoints that take files say so: generated clients then send a form', () => {
  const withForm = Object.keys(document.paths).filter((path) => {
    const forms = ['paths', path, 'post', 'requestBody', 'content', 'multipart/form-data']
    return forms.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), document) !== undefined
  })
  expect(withForm.toSorted()).toEqual(['/content/document', '/content/photos', '/content/video', '/media/upload'])
})

test('responses allow additional fields, requests do not', () => {
  expect(document).toHaveProperty('components.schemas.NewTextPost.additionalProperties', false)
  expect(document).not.toHaveProperty('components.schemas.Post.additionalProperties')
})

describe.each(endpoints.map((endpoint) => ({ id: endpoint.id, endpoint })))('$id', ({ id, endpoint }) => {
  test.each(getCases(id).map((example, n) => ({ name: example.name ?? `example ${n + 1}`, example })))(
    '$name matches the schemas',
    ({ example }) => {
      // An example of an endpoint without a body must not have one.
      expect([...Value.Errors(endpoint.body ?? Type.Undefined(), example.body)]).toEqual([])
      expect([...Value.Errors(endpoint.returns, example.returns)]).toEqual([])
      expect([endpoint.ok, ...(endpoint.also ?? [])]).toContain(example.status ?? endpoint.ok)
    },
  )
})

test.each(eventNames)('the example of %s matches the schema', (event) => {
  expect(eventExamples[event].event).toBe(event)
  expect([...Value.Errors(WebhookEvent, eventExamples[event])]).toEqual([])
})

function findReferences(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(findReferences)
  if (!isObject(node)) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : findReferences(value),
  )
}
