import type { Endpoint } from '../endpoint.ts'
import { errorExamples } from '../examples/errors.ts'
import { eventExamples } from '../examples/events.ts'
import { renderErrorResponses } from './error-responses.ts'
import { headers, parameters } from './headers.ts'
import type { JsonObject } from './json.ts'
import { renderOperation, getSubject } from './render-operation.ts'
import { renderNamedSchemas } from './render-schema.ts'
import { overview, subjects } from './descriptions.ts'

export type OpenApi = { paths: Record<string, JsonObject>; [part: string]: unknown }

/** Builds the OpenAPI 3.1 document of the API from the same values that validate requests. `version` is the one of the release. */
export function buildOpenApi(endpoints: readonly Endpoint[], version: string): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carillon API',
      version,
      description: overview,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: 'The API path of your Carillon server' }],
    security: [{ apiKey: [] }],
    tags: renderTags(endpoints),
    paths: renderPaths(endpoints),
    webhooks: renderWebhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk_` and 49 letters and digits' },
      },
      parameters,
      headers,
      responses: renderErrorResponses(endpoints),
      schemas: renderNamedSchemas(),
      examples: errorExamples(),
    },
  }
}

function renderPaths(endpoints: readonly Endpoint[]): OpenApi['paths'] {
  const paths: OpenApi['paths'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: renderOperation(endpoint) }
  }
  return paths
}

function renderTags(endpoints: readonly Endpoint[]): JsonObject[] {
  return [...new Set(endpoints.map(getSubject))].map((name) => {
    const subject = subjects[name]
    if (!subject) throw new Error(`The subject "${name}" has no description: add one in contract/src/openapi/descriptions.ts.`)
    return { name, 'x-displayName': subject.title, description: subject.description }
  })
}

function renderWebhooks(): JsonObject {
  const renderDelivery = (event: string, value: unknown) => ({
    post: {
      summary: event,
      // A delivery is authenticated by its signature, not by an API key.
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/WebhookEvent' },
            examples: { example: { value } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. After any other response, or none within 10 seconds, the delivery is tried again' },
      },
    },
  })
  return Object.fromEntries(Object.entries(eventExamples).map(([event, value]) => [event, renderDelivery(event, value)]))
}
