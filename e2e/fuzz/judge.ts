import { requestErrors, type Endpoint } from '@carillon/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { FuzzRequest } from './request.ts'

export type Answered = { status: number; headers: Headers; text: string }

const secrets = [
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

/** Everything that is wrong with an answer, in words; empty when it is as promised. */
export function judge(request: FuzzRequest, answer: Answered): string[] {
  const { status, headers, text } = answer
  const { endpoint } = request
  const wrong: string[] = []
  if (status >= 500) wrong.push(`a ${status}`)
  if (!headers.get('x-request-id')) wrong.push('no X-Request-Id')
  if (status < 400 && endpoint.produces) return wrong
  const body = parse(text)
  if (!body) return [...wrong, `no JSON object: ${text.slice(0, 100)}`]
  if (status < 400) return [...wrong, ...judgeSuccess(request, status, body)]
  for (const pattern of secrets) if (pattern.test(text)) wrong.push(`tells too much: ${pattern.exec(text)?.[0]}`)
  if (mustPass(request)) wrong.push(`refused what it must take: ${request.sent?.what}`)
  return [...wrong, ...judgeRefusal(body, answer)]
}

/** Nothing else about the request may be odd. */
function mustPass({ sent, headers, query }: FuzzRequest): boolean {
  return sent?.mustPass === true && query === '' && Object.keys(headers).length === 0
}

function judgeSuccess({ endpoint, sent }: FuzzRequest, status: number, body: Record<string, unknown>): string[] {
  const wrong: string[] = []
  if (body['success'] !== true || Object.keys(body).length !== 2) wrong.push('not the envelope')
  if (![endpoint.ok, ...(endpoint.also ?? [])].includes(status)) wrong.push(`status ${status} is not promised`)
  const returns = checker(`${endpoint.id} returns`, endpoint.returns)
  if (!returns.Check(body['data'])) wrong.push(`not its schema: ${JSON.stringify(returns.Errors(body['data'])).slice(0, 400)}`)
  if (sent && endpoint.body && !sent.mayPass) wrong.push(`took a body it must refuse: ${sent.what}`)
  if (sent && !fitsBody(endpoint, sent.body)) wrong.push(`took a body against its schema: ${sent.what}`)
  return wrong
}

function fitsBody({ id, body }: Endpoint, sent: unknown): boolean {
  if (!body || typeof sent !== 'string') return true
  const value: unknown = JSON.parse(sent)
  return checker(`${id} body`, body).Check(value)
}

function judgeRefusal(body: Record<string, unknown>, { status, headers }: Answered): string[] {
  const wrong: string[] = []
  const error = (body['error'] ?? {}) as Record<string, unknown>
  const facts = Object.entries(requestErrors).find(([code]) => code === error['code'])?.[1]
  if (body['success'] !== false) wrong.push('success is not false')
  if (!facts) return [...wrong, `unknown code ${String(error['code'])}`]
  if (facts.status !== status) wrong.push(`${String(error['code'])} with status ${status}`)
  if (error['action'] !== facts.action || error['retryable'] !== facts.retryable) wrong.push('another action than the table’s')
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
