import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../endpoints.ts'
import { getCases } from '../examples/get-cases.ts'
import { eventExamples } from '../examples/events.ts'
import { buildOpenApi } from './build-open-api.ts'
import { responseSchemas, requestSchemas } from './named-schemas.ts'
import { isObject } from './json.ts'
import { WebhookEvent } from '../webhook-event.ts'
import { eventNames } from '../webhooks.ts'

/** Guarantee: the document describes every endpoint, points nowhere, and shows nothing the service would refuse or never say. */
const document = buildOpenApi(endpoints)

test('every endpoint is an operation, once', () => {
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

test('every reference leads somewhere', () => {
  for (const reference of referencesIn(document)) {
    const found = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), document)
    expect({ reference, isThere: found !== undefined }).toEqual({ reference, isThere: true })
  }
})

test('no two names stand for the same schema', () => {
  const named = [...Object.entries(requestSchemas), ...Object.entries(responseSchemas)]
  const byContent = Map.groupBy(named, ([, schema]) => JSON.stringify(schema))
  expect([...byContent.values()].filter((same) => same.length > 1).map((same) => same.map(([name]) => name))).toEqual([])
})

test('an answer may gain fields, a request may not', () => {
  expect(document).toHaveProperty('components.schemas.NewTextPost.additionalProperties', false)
  expect(document).not.toHaveProperty('components.schemas.Post.additionalProperties')
})

describe.each(endpoints.map((endpoint) => ({ id: endpoint.id, endpoint })))('$id', ({ id, endpoint }) => {
  test.each(getCases(id).map((each, n) => ({ name: each.name ?? `example ${n + 1}`, each })))('$name is true', ({ each }) => {
    // An endpoint that takes no body must not be shown with one.
    expect([...Value.Errors(endpoint.body ?? Type.Undefined(), each.body)]).toEqual([])
    expect([...Value.Errors(endpoint.returns, each.returns)]).toEqual([])
    expect([endpoint.ok, ...(endpoint.also ?? [])]).toContain(each.status ?? endpoint.ok)
  })
})

test.each(eventNames)('the example of %s is true', (event) => {
  expect(eventExamples[event].event).toBe(event)
  expect([...Value.Errors(WebhookEvent, eventExamples[event])]).toEqual([])
})

function referencesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referencesIn)
  if (!isObject(node)) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  )
}
