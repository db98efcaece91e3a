import { requestErrors, type Endpoint } from '@carillon/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { FuzzRequest } from './request.ts'

export type Answer = { status: number; headers: Headers; text: string }

const internalsPatterns = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules|\/src\/[\w/-]+\.ts/,
  /\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b/i,
  /syntax error|duplicate key value|violates|invalid input|relation "|column "|pg_|SQLSTATE/i,
  /kysely|fastify|FST_ERR|postgres/i,
  /TypeError|ReferenceError|RangeError|is not a function|of undefined/,
]

const compiled = new Map<string, { Check(value: unknown): boolean; Errors(value: unknown): unknown }>()

function checker(key: string, schema: TSchema) {
  const found = compiled.get(key) ?? Compile(schema)
  compiled.set(key, found)
  return found
}

/** Describes everything that is wrong with an answer. Empty when the answer keeps the contract. */
export function findProblems(request: FuzzRequest, answer: Answer): string[] {
  const { status, headers, text } = answer
  const { endpoint } = request
  const wrong: string[] = []
  if (status >= 500) wrong.push(`a ${status}`)
  if (!headers.get('x-request-id')) wrong.push('no X-Request-Id')
  if (status < 400 && endpoint.produces) return wrong
  const body = parse(text)
  if (!body) return [...wrong, `no JSON object: ${text.slice(0, 100)}`]
  if (status < 400) return [...wrong, ...findSuccessProblems(request, status, body)]
  for (const pattern of internalsPatterns) if (pattern.test(text)) wrong.push(`reveals internals: ${pattern.exec(text)?.[0]}`)
  if (mustBeAccepted(request)) wrong.push(`rejected what it must accept: ${request.sent?.what}`)
  return [...wrong, ...findErrorProblems(body, answer)]
}

/** A body that must be accepted is one only if nothing else about the request is unusual. */
function mustBeAccepted({ sent, headers, query }: FuzzRequest): boolean {
  return sent?.mustBeAccepted === true && query === '' && Object.keys(headers).length === 0
}

function findSuccessProblems(request: FuzzRequest, status: number, body: Record<string, unknown>): string[] {
  const wrong: string[] = []
  const { endpoint } = request
  // Some bodies may be left out.
  const sent = endpoint.isBodyOptional && request.sent?.body === '' ? null : request.sent
  if (body['success'] !== true || Object.keys(body).length !== 2) wrong.push('not the envelope {success, data}')
  if (![endpoint.ok, ...(endpoint.also ?? [])].includes(status)) wrong.push(`status ${status} is not in the contract`)
  const returns = checker(`${endpoint.id} returns`, endpoint.returns)
  if (!returns.Check(body['data']))
    wrong.push(`does not match its schema: ${JSON.stringify(returns.Errors(body['data'])).slice(0, 400)}`)
  if (sent && endpoint.body && !sent.mayBeAccepted) wrong.push(`accepted a body that it must reject: ${sent.what}`)
  if (sent && !fitsBody(endpoint, sent.body)) wrong.push(`accepted a body that does not match its schema: ${sent.what}`)
  return wrong
}

function fitsBody({ id, body }: Endpoint, sent: unknown): boolean {
  if (!body || typeof sent !== 'string') return true
  const value: unknown = JSON.parse(sent)
  return checker(`${id} body`, body).Check(value)
}

function findErrorProblems(body: Record<string, unknown>, { status, headers }: Answer): string[] {
  const wrong: string[] = []
  const error = (body['error'] ?? {}) as Record<string, unknown>
  const facts = Object.entries(requestErrors).find(([code]) => code === error['code'])?.[1]
  if (body['success'] !== false) wrong.push('success is not false')
  if (!facts) return [...wrong, `unknown code ${String(error['code'])}`]
  if (facts.status !== status) wrong.push(`${String(error['code'])} with status ${status}`)
  if (error['action'] !== facts.action || error['retryable'] !== facts.retryable)
    wrong.push('action or retryable differs from the table of errors')
  if (typeof error['message'] !== 'string' || error['message'] === '') wrong.push('no message')
  if (typeof error['docUrl'] !== 'string') wrong.push('no docUrl')
  if (error['traceId'] !== headers.get('x-request-id')) wrong.push('traceId is not X-Request-Id')
  if (status === 429 || status === 503) if (!headers.get('retry-after')) wrong.push('no Retry-After')
  return wrong
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
