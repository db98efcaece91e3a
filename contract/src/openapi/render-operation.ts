import type { TSchema } from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import type { Case } from '../examples/case.ts'
import { getCases } from '../examples/get-cases.ts'
import { isIdempotent } from './list-errors.ts'
import { referenceErrorResponses } from './error-responses.ts'
import { responseHeaders } from './headers.ts'
import { asObject, toPlainJson, type JsonObject } from './json.ts'
import { renderSchema } from './render-schema.ts'

/** One endpoint as OpenAPI's operation object. */
export function renderOperation(endpoint: Endpoint): JsonObject {
  const { id, summary, scope, role, body, form } = endpoint
  const cases = getCases(id)
  return {
    operationId: id,
    tags: [subjectOf(endpoint)],
    summary,
    description: `Needs the scope \`${scope}\` and at least the role \`${role}\`.`,
    parameters: parameters(endpoint),
    ...(body && { requestBody: requestBody(body, cases) }),
    ...(form && { requestBody: formBody(form) }),
    responses: { ...successes(endpoint, cases), ...referenceErrorResponses(endpoint) },
  }
}

/** `content.createText` is about `content`. */
export function subjectOf({ id }: Endpoint): string {
  return id.split('.')[0] ?? id
}

function parameters(endpoint: Endpoint): JsonObject[] {
  return [
    ...fieldParameters(endpoint.params, 'path'),
    ...fieldParameters(endpoint.query, 'query'),
    ...(endpoint.workspace === 'header' ? [{ $ref: '#/components/parameters/WorkspaceId' }] : []),
    ...(isIdempotent(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

function fieldParameters(schema: TSchema | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!schema) return []
  const { properties, required } = asObject(toPlainJson(schema))
  const needed = Array.isArray(required) ? required : []
  const rendered = asObject(renderSchema(schema, 'request')['properties'])
  return Object.keys(asObject(properties)).map((name) => ({
    name,
    in: place,
    required: needed.includes(name),
    schema: rendered[name],
  }))
}

function requestBody(body: TSchema, cases: readonly Case[]): JsonObject {
  const examples = named(cases, (each) => each.body)
  return { required: true, content: { 'application/json': { schema: renderSchema(body, 'request'), examples } } }
}

function formBody(form: TSchema): JsonObject {
  return { required: true, content: { 'multipart/form-data': { schema: renderSchema(form, 'request') } } }
}

function successes(endpoint: Endpoint, cases: readonly Case[]): JsonObject {
  const { ok, also = [], returns, produces } = endpoint
  if (produces) return { [ok]: fileAnswer(endpoint, produces, cases) }
  const schema = {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean', const: true }, data: renderSchema(returns, 'response') },
  }
  const answer = (status: number): [string, JsonObject] => {
    const examples = named(
      cases.filter((each) => (each.status ?? ok) === status),
      (each) => ({ success: true, data: each.returns }),
    )
    const headers = responseHeaders({ isIdempotent: isIdempotent(endpoint), mayWait: false })
    return [
      String(status),
      { description: words[status] ?? 'Done', headers, content: { 'application/json': { schema, examples } } },
    ]
  }
  return Object.fromEntries([ok, ...also].map(answer))
}

function fileAnswer({ ok, returns }: Endpoint, mimeType: string, cases: readonly Case[]): JsonObject {
  const headers = responseHeaders({ isIdempotent: false, mayWait: false })
  const examples = named(cases, (each) => each.returns)
  return {
    description: words[ok] ?? 'Done',
    headers,
    content: { [mimeType]: { schema: renderSchema(returns, 'response'), examples } },
  }
}

const words: Readonly<Record<number, string>> = { 200: 'Done', 201: 'Made', 202: 'Accepted; the work goes on after the answer' }

function named(cases: readonly Case[], valueOf: (each: Case) => unknown): JsonObject {
  return Object.fromEntries(
    cases.map((each, n) => [each.name ?? (n === 0 ? 'example' : `example${n + 1}`), { value: valueOf(each) }]),
  )
}
