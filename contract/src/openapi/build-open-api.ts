import type { Endpoint } from '../endpoint.ts'
import { errorExamples } from '../examples/errors.ts'
import { eventExamples } from '../examples/events.ts'
import { renderErrorResponses } from './error-responses.ts'
import { headers, parameters } from './headers.ts'
import type { JsonObject } from './json.ts'
import { renderOperation, subjectOf } from './render-operation.ts'
import { renderNamedSchemas } from './render-schema.ts'
import { overview, subjects } from './descriptions.ts'

export type OpenApi = { paths: Record<string, JsonObject>; [part: string]: unknown }

/** The whole interface as an OpenAPI 3.1 document, made of the same values that validate requests. */
export function buildOpenApi(endpoints: readonly Endpoint[]): OpenApi {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carillon API',
      version: '0.1.0',
      description: overview,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: 'Below the address of your Carillon' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(endpoints),
    paths: pathsOf(endpoints),
    webhooks: webhooks(),
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

function pathsOf(endpoints: readonly Endpoint[]): OpenApi['paths'] {
  const paths: OpenApi['paths'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: renderOperation(endpoint) }
  }
  return paths
}

function tagsOf(endpoints: readonly Endpoint[]): JsonObject[] {
  return [...new Set(endpoints.map(subjectOf))].map((name) => {
    const subject = subjects[name]
    if (!subject) throw new Error(`Say in contract/src/openapi/words.ts what "${name}" is about.`)
    return { name, 'x-displayName': subject.title, description: subject.description }
  })
}

function webhooks(): JsonObject {
  const delivery = (event: string, value: unknown) => ({
    post: {
      summary: event,
      // The receiver knows us by the signature, not by a key.
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
      responses: { '2XX': { description: 'Received; anything else, or no answer in 10 seconds, is tried again' } },
    },
  })
  return Object.fromEntries(Object.entries(eventExamples).map(([event, value]) => [event, delivery(event, value)]))
}
