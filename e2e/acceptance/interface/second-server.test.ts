import { afterAll, beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call, type CallOptions } from '../../support/call.ts'
import { startSecondServer, type SecondServer } from '../../support/second-server.ts'
import { testStack } from '../../test-stack.ts'

/** Behaviour that needs a server with other settings: no language model, few requests per minute, and at the end no database. */
let server: SecondServer
beforeAll(async () => {
  server = await startSecondServer({ CARILLON_REQUESTS_PER_MINUTE: '20' })
}, 120_000)
afterAll(() => server.stop())

const ask = (route: string, options: CallOptions = {}) => call(route, { ...options, baseUrl: server.baseUrl })

row('D 8 not configured', async () => {
  expect((await ask('GET /ai/status')).data).toEqual({ available: false, model: '' })
  const reply = await ask('POST /ai/generate-content', { body: { uploadType: 'text', platforms: ['x'] } })
  expect([reply.status, reply.error.code, reply.headers.has('retry-after')]).toEqual([503, 'ai_unavailable', true])
})

row('D 1 429', async () => {
  const replies = []
  for (let n = 0; n < 25; n++) replies.push(await ask('GET /content'))
  const limited = replies.filter(({ status }) => status === 429)
  expect(limited.length).toBeGreaterThan(0)
  const [{ headers, error } = { headers: new Headers(), error: undefined }] = limited
  expect(error).toMatchObject({ code: 'rate_limited', action: 'wait', retryable: true })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('x-ratelimit-remaining')).toBe('0')
})

row('D 1 503', async () => {
  server.cutDatabase()
  // This uses another key, because the first one has reached its rate limit.
  const reply = await ask('GET /content', { key: testStack.otherApiKey, workspace: testStack.otherWorkspaceId })
  expect([reply.status, reply.error.code, reply.error.retryable]).toEqual([503, 'unavailable', true])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
})

row('D 3 key format', async () => {
  // There is no database any more: a 401 proves that the key was not looked up, and a lookup would end with a 503.
  const typo = `${testStack.apiKey.slice(0, -1)}${testStack.apiKey.endsWith('a') ? 'b' : 'a'}`
  const refused = await ask('GET /content', { key: typo })
  expect([refused.status, refused.error.code]).toEqual([401, 'api_key_invalid'])
  expect((await ask('GET /content', { key: testStack.otherApiKey })).status).toBe(503)
})
