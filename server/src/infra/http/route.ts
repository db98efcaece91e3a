import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Endpoint } from '@carillon/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem } from '../problem/problem.ts'
import { open, seal } from '../sealing/seal.ts'
import { acceptsGzip } from './send-page.ts'
import { authenticate } from './authenticate.ts'
import { canonicalJson } from './canonical-json.ts'
import type { IdempotentRequest, StoredAnswer } from './idempotency.store.ts'
import type { Principal } from './principal.ts'
import { createValidator } from './schemas/create-validator.ts'

const idempotencyKeyMax = 255
/** Half the time of the default level, for an answer that is a tenth larger. */
const gzipLevel = 3
const compress = promisify(gzip)

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    principal?: Principal
  }
}

/** A request that passed authentication and validation. */
export type AuthenticatedRequest = { request: FastifyRequest; principal: Principal }

/** Registers an endpoint: authenticates, validates params, query and body, then calls the handler. */
export function route(
  app: FastifyInstance,
  endpoint: Endpoint,
  handle: (authenticated: AuthenticatedRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const checks = {
    params: createValidator(endpoint.params, 'params'),
    query: createValidator(endpoint.query, 'query'),
    body: createValidator(endpoint.body, 'body'),
  }
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.bodyBytesMax !== undefined && { bodyLimit: endpoint.bodyBytesMax }),
    onRequest: async (request) => {
      request.principal = await authenticate(app.hooks, endpoint, request)
    },
    handler: async (request, reply) => {
      const principal = request.principal
      if (!principal) throw problem('api_key_missing')
      checks.params(request.params)
      checks.query(request.query)
      // `null` is a body, and a wrong one.
      if (endpoint.isBodyOptional && request.body === undefined) request.body = {}
      // The handler of a form validates it after reading its files.
      if (endpoint.body && !isForm(request)) checks.body(request.body)
      return handle({ request, principal }, reply)
    },
  })
}

/** `replayed`: the stored answer to an earlier request with the same Idempotency-Key. */
export type JsonAnswer = StoredAnswer & { replayed: boolean; etag?: string | undefined }

/** `route` for endpoints that answer with the JSON envelope and support an Idempotency-Key. */
export function routeJson(
  app: FastifyInstance,
  ctx: Context,
  endpoint: Endpoint,
  answer: (authenticated: AuthenticatedRequest & { idempotent: IdempotentRequest | null }) => Promise<JsonAnswer>,
): void {
  route(app, endpoint, async ({ request, principal }, reply) => {
    const isSavedByProgram = isAutosave(endpoint, request)
    // The next change replaces this one, so a repeat needs no stored answer.
    const idempotent = isSavedByProgram ? null : idempotentRequest(ctx, endpoint, request, principal)
    if (isSavedByProgram) void reply.header('preference-applied', 'autosave')
    const made = await answer({ request, principal, idempotent })
    return endpoint.compress ? sendCompressed(request, reply, endpoint, made) : send(reply, endpoint, made)
  })
}

/** Was the request sent by a program that saves while a person writes? */
export function isAutosave({ autosave }: Endpoint, { headers }: FastifyRequest): boolean {
  if (!autosave || headers.prefer === undefined) return false
  return [headers.prefer].flat().some((header) => header.split(/[,;]/).some((each) => each.trim().toLowerCase() === 'autosave'))
}

/** Other routes have refused a form before this, because they have no parser for it. */
function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
}

function idempotentRequest(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
  { workspaceId, personId, apiKeyId }: Principal,
): IdempotentRequest | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || (endpoint.method !== 'POST' && endpoint.method !== 'PATCH')) return null
  // Answers are stored in a workspace, and a signed-in person who creates a workspace is in none.
  if (workspaceId === '') return null
  if (key.length === 0 || key.length > idempotencyKeyMax) {
    throw problem('request_invalid', {
      details: [{ path: 'Idempotency-Key', message: `Must have 1 to ${idempotencyKeyMax} characters.` }],
    })
  }
  // The path with its ids, not the pattern: the same key on another post is another request.
  const path = `${endpoint.method} ${request.url.split('?')[0]}`
  const requestHash = createHash('sha256')
    .update(canonicalJson(request.body ?? null))
    .digest()
  // An answer belongs to the caller: another person or key that guesses the same Idempotency-Key must not see it.
  const caller = apiKeyId === null ? personId : `${personId} ${apiKeyId}`
  const place = { workspaceId, rowId: `${caller} ${path} ${key}`, column: 'idempotency' }
  const { secretKeys } = ctx.config
  return {
    workspaceId,
    caller,
    route: path,
    key,
    requestHash,
    seal: (body) => seal(secretKeys, place, body),
    open: (sealed) => open(secretKeys, place, sealed),
  }
}

/** Compressing runs in a thread of its own and does not delay other requests. */
async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  answer: JsonAnswer,
): Promise<FastifyReply> {
  void reply.header('vary', 'accept-encoding')
  if (!acceptsGzip(request)) return send(reply, endpoint, answer)
  const body = await compress(answer.body, { level: gzipLevel })
  return send(reply.header('content-encoding', 'gzip'), endpoint, { ...answer, body })
}

type SentAnswer = Omit<JsonAnswer, 'body'> & { body: string | Buffer }

function send(reply: FastifyReply, { returnsSecret }: Endpoint, { status, body, replayed, etag }: SentAnswer): FastifyReply {
  if (etag !== undefined) void reply.header('etag', etag)
  if (replayed) void reply.header('idempotent-replayed', 'true')
  if (replayed && returnsSecret) void reply.header('idempotent-secret', 'omitted')
  return reply.status(status).header('content-type', 'application/json; charset=utf-8').send(body)
}
