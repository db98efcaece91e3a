import { describe, expect, test } from 'vitest'
import { CarillonError } from './carillon-error.ts'
import { createCarillon, type CarillonOptions } from './create-carillon.ts'
import { hangUp, hangUpHalfway, json, ok, refusal, startServer, type Reply } from './server.fixture.ts'

const accepted = { success: true, requestId: 'r', uploadId: 'u', usage: { count: 1, limit: -1, remaining: -1 } }
const text = { connections: ['x-thetower'], text: 'hello' }

async function start(replies: Reply[], options: Partial<CarillonOptions> = {}) {
  const server = await startServer(...replies)
  const { baseUrl } = server
  const carillon = createCarillon({ baseUrl, apiKey: 'sk_test', workspaceId: 'w1', retryDelayMs: 5, ...options })
  return { server, carillon, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function failureOf(call: Promise<unknown>): Promise<CarillonError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof CarillonError) return error
  throw new Error('it did not fail with a CarillonError', { cause: error })
}

describe('a call', () => {
  test('carries key, workspace and body, and gives what is in the envelope', async () => {
    await using world = await start([json(201, { success: true, data: accepted })])
    expect(await world.carillon.content.createText(text)).toEqual(accepted)
    const [seen] = world.server.seen
    expect(seen).toMatchObject({ method: 'POST', url: '/api/content/text', body: JSON.stringify(text) })
    expect(seen?.headers).toMatchObject({ authorization: 'Bearer sk_test', 'x-workspace-id': 'w1' })
    expect(seen?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('puts arguments where they belong', async () => {
    await using world = await start([ok(null)])
    const { content, workspaces } = world.carillon
    await content.status('a b')
    await content.resolve('p1', 'c1', { outcome: 'not_published' })
    await content.remove('p/1', { unpublish: 'true' })
    await workspaces.disconnect('w2', 'n1')
    await content.list({ status: 'failed', limit: 5 }, { workspaceId: 'w9' })
    expect(world.server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/content/status?requestId=a%20b',
      'POST /api/content/p1/channels/c1/resolve',
      'DELETE /api/content/p%2F1?unpublish=true',
      'DELETE /api/workspaces/w2/connections/n1',
      'GET /api/content?status=failed&limit=5',
    ])
    expect(world.server.seen.map(({ headers }) => headers['x-workspace-id'])).toEqual(['w1', 'w1', 'w1', undefined, 'w9'])
  })

  test('sends no body where there is none, and no key on what only reads', async () => {
    await using world = await start([ok({})])
    await world.carillon.content.publish('p1')
    await world.carillon.content.get('p1')
    const [publish, get] = world.server.seen
    expect(publish?.headers['content-type']).toBeUndefined()
    expect(publish?.headers['idempotency-key']).toBeDefined()
    expect(get?.headers['idempotency-key']).toBeUndefined()
  })

  test('sends files as a form, again when it must', async () => {
    await using world = await start([hangUp, json(201, { success: true, data: { id: 'm1' } })])
    const file = new File(['the bytes'], 'tower.txt', { type: 'text/plain' })
    expect(await world.carillon.media.upload({ file })).toEqual({ id: 'm1' })
    const [first, second] = world.server.seen
    expect(second?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(second?.body).toMatch(/name="file"; filename="tower.txt"\r\nContent-Type: text\/plain\r\n\r\nthe bytes\r\n/)
    expect(second?.body).toBe(first?.body)
  })

  test('without a workspace says so before anything is sent', async () => {
    await using world = await start([ok({})])
    const { content } = createCarillon({ baseUrl: world.server.baseUrl, apiKey: 'sk_test' })
    await expect(content.get('p1')).rejects.toThrow('Say which workspace')
    expect(world.server.seen).toEqual([])
  })
})

describe('a failure worth repeating', () => {
  test.each([
    ['429 with Retry-After', refusal(429, 'rate_limited', { 'retry-after': '0' })],
    ['503 with Retry-After', refusal(503, 'unavailable', { 'retry-after': '0' })],
    ['503 without', refusal(503, 'unavailable')],
    ['a gateway that speaks HTML', (response) => void response.writeHead(502).end('<html>')],
    ['409 idempotency_in_flight', refusal(409, 'idempotency_in_flight', { 'retry-after': '0' })],
    ['a lost answer', hangUp],
    ['half an answer', hangUpHalfway],
  ] satisfies [string, Reply][])('%s: repeats with the same key and body', async (_name, reply) => {
    await using world = await start([reply, reply, json(201, { success: true, data: accepted })])
    expect(await world.carillon.content.createText(text)).toEqual(accepted)
    expect(world.server.seen).toHaveLength(3)
    expect(new Set(world.server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(world.server.seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(text)]))
  })

  test('two calls have two keys; a key of your own is kept', async () => {
    await using world = await start([ok({})])
    const { content } = world.carillon
    await content.publish('p1')
    await content.publish('p1')
    await content.publish('p1', { idempotencyKey: 'mine' })
    const keys = world.server.seen.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('mine')
  })

  test('is repeated only so often', async () => {
    await using world = await start([hangUp], { retries: 2 })
    expect(await failureOf(world.carillon.content.get('p1'))).toMatchObject({
      code: 'connection_failed',
      status: 0,
      retryable: true,
    })
    expect(world.server.seen).toHaveLength(3)
  })

  test('waits at least as long as it is told', async () => {
    await using world = await start([refusal(429, 'rate_limited', { 'retry-after': '1' }), ok({})])
    const begin = performance.now()
    await world.carillon.content.get('p1')
    // Timers may fire a hair early.
    expect(performance.now() - begin).toBeGreaterThanOrEqual(990)
  })

  test('is handed back when the wait would be long', async () => {
    await using world = await start([refusal(429, 'rate_limited', { 'retry-after': '3600' })])
    expect(await failureOf(world.carillon.content.get('p1'))).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 })
    expect(world.server.seen).toHaveLength(1)
  })

  test('an attempt without an answer ends by itself', async () => {
    await using world = await start([() => {}], { retries: 0, timeoutMs: 50 })
    expect(await failureOf(world.carillon.content.get('p1'))).toMatchObject({ code: 'timed_out', retryable: true })
  })

  test('stops at once when the caller gives up', async () => {
    await using world = await start([refusal(503, 'unavailable', { 'retry-after': '30' })])
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(world.carillon.content.get('p1', { signal: stop.signal })).rejects.toThrow('enough')
    expect(world.server.seen).toHaveLength(1)
  })
})

describe('a refusal', () => {
  test.each([
    [422, 'post_invalid'],
    [409, 'not_a_draft'],
    [500, 'internal_error'],
    [404, 'a_code_of_tomorrow'],
  ])('%i %s is thrown at once with all it says', async (status, code) => {
    await using world = await start([refusal(status, code)])
    const error = await failureOf(world.carillon.content.get('p1'))
    expect(error).toMatchObject({ code, status, action: 'wait', retryable: true, traceId: 'trace-1', message: 'A sentence.' })
    expect(error.docUrl).toBe(`https://carillon.dev/docs/errors/${code}`)
    expect(error.details).toEqual([{ path: 'text', message: 'Too long.' }])
    expect(world.server.seen).toHaveLength(1)
  })

  test.each([
    ['HTML with 404', (response) => void response.writeHead(404).end('<html>')],
    ['HTML with 200', (response) => void response.writeHead(200).end('<html>')],
    ['nothing with 200', (response) => void response.writeHead(200).end()],
    ['JSON of somebody else', json(200, { hello: 'world' })],
  ] satisfies [string, Reply][])('%s is an unreadable answer', async (_name, reply) => {
    await using world = await start([reply])
    expect(await failureOf(world.carillon.content.get('p1'))).toMatchObject({ code: 'answer_unreadable' })
  })
})

describe('content.waitUntilFinished', () => {
  test.each(['completed', 'partial_failure', 'failed'])('ends with %s', async (status) => {
    await using world = await start([ok({ status: 'queued' }), ok({ status: 'publishing' }), ok({ status })])
    expect(await world.carillon.content.waitUntilFinished('u')).toMatchObject({ status })
  })

  test('gives up in time, and on a draft at once', async () => {
    await using publishing = await start([ok({ status: 'publishing' })])
    const late = publishing.carillon.content.waitUntilFinished('u', { timeoutMs: 100 })
    expect(await failureOf(late)).toMatchObject({ code: 'wait_timed_out', retryable: true })
    await using draft = await start([ok({ status: 'draft' })])
    expect(await failureOf(draft.carillon.content.waitUntilFinished('u'))).toMatchObject({ code: 'wait_pointless' })
  })
})
