import type { TSchema } from 'typebox'
import type { Scope } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Case } from '../examples/case.ts'
import { getCases } from '../examples/get-cases.ts'
import { acceptsIdempotencyKey } from './list-errors.ts'
import { referenceErrorResponses } from './error-responses.ts'
import { responseHeaders } from './headers.ts'
import { asObject, toPlainJson, type JsonObject } from './json.ts'
import { renderSchema } from './render-schema.ts'

const scopeNotes: Partial<Record<Scope, string>> = {
  'content:draft': ' A post that is not a draft also needs the scope `content:publish`; `content:write` includes both.',
  'content:publish': ' The scope `content:write` includes it.',
}

/** Renders one endpoint as an OpenAPI operation object. */
export function renderOperation(endpoint: Endpoint): JsonObject {
  const { id, summary, scope, role } = endpoint
  const cases = getCases(id)
  return {
    operationId: id,
    tags: [getSubject(endpoint)],
    summary,
    description: `Needs the scope \`${scope}\` and at least the role \`${role}\`.${scopeNotes[scope] ?? ''}`,
    ...(endpoint.base === 'host' && { servers: [{ url: '/', description: 'Your Carillon server itself, without `/api`' }] }),
    parameters: renderParameters(endpoint),
    ...((endpoint.body ?? endpoint.form) && { requestBody: renderRequestBody(endpoint, cases) }),
    responses: { ...renderSuccesses(endpoint, cases), ...referenceErrorResponses(endpoint) },
  }
}

/** The subject of the endpoint `content.createText` is `content`. */
export function getSubject({ id }: Endpoint): string {
  return id.split('.')[0] ?? id
}

function renderParameters(endpoint: Endpoint): JsonObject[] {
  return [
    ...renderFieldParameters(endpoint.params, 'path'),
    ...renderFieldParameters(endpoint.query, 'query'),
    ...(endpoint.workspace === 'header' ? [{ $ref: '#/components/parameters/WorkspaceId' }] : []),
    ...(acceptsIdempotencyKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(endpoint.ifMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(endpoint.autosave ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ]
}

function renderFieldParameters(schema: TSchema | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!schema) return []
  const { properties, required } = asObject(toPlainJson(schema))
  const requiredNames = Array.isArray(required) ? required : []
  const rendered = asObject(renderSchema(schema, 'request')['properties'])
  return Object.keys(asObject(properties)).map((name) => ({
    name,
    in: place,
    required: requiredNames.includes(name),
    schema: rendered[name],
  }))
}

function renderRequestBody({ body, form, isBodyOptional }: Endpoint, cases: readonly Case[]): JsonObject {
  const content: JsonObject = {}
  if (body) {
    const examples = renderExamples(cases, (example) => example.body)
    content['application/json'] = { schema: renderSchema(body, 'request'), examples }
  }
  if (form) content['multipart/form-data'] = { schema: renderSchema(form, 'request') }
  return { required: isBodyOptional !== true, content }
}

function renderSuccesses(endpoint: Endpoint, cases: readonly Case[]): JsonObject {
  const { ok, also = [], returns, produces } = endpoint
  if (produces) return { [ok]: renderFileResponse(endpoint, produces, cases) }
  const schema = {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean', const: true }, data: renderSchema(returns, 'response') },
  }
  const renderResponse = (status: number): [string, JsonObject] => {
    const examples = renderExamples(
      cases.filter((example) => (example.status ?? ok) === status),
      (example) => ({ success: true, data: example.returns }),
    )
    const headers = responseHeaders({
      hasReplay: acceptsIdempotencyKey(endpoint),
      hasRetryAfter: false,
      hasETag: endpoint.hasETag === true,
    })
    return [
      String(status),
      { description: statusDescriptions[status] ?? 'Done', headers, content: { 'application/json': { schema, examples } } },
    ]
  }
  return Object.fromEntries([ok, ...also].map(renderResponse))
}

function renderFileResponse({ ok, returns }: Endpoint, mimeType: string, cases: readonly Case[]): JsonObject {
  const headers = responseHeaders({ hasReplay: false, hasRetryAfter: false })
  const examples = renderExamples(cases, (example) => example.returns)
  return {
    description: statusDescriptions[ok] ?? 'Done',
    headers,
    content: { [mimeType]: { schema: renderSchema(returns, 'response'), examples } },
  }
}

const statusDescriptions: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work continues after the response',
}

function renderExamples(cases: readonly Case[], getValue: (example: Case) => unknown): JsonObject {
  return Object.fromEntries(
    cases.map((example, n) => [example.name ?? (n === 0 ? 'example' : `example${n + 1}`), { value: getValue(example) }]),
  )
}
