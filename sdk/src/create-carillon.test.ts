import { describe, expect, test } from 'vitest'
import { CarillonError } from './carillon-error.ts'
import { createCarillon, type CarillonOptions } from './create-carillon.ts'
import {
  closeConnection,
  closeConnectionMidResponse,
  jsonReply,
  okReply,
  errorReply,
  startServer,
  type Reply,
} from './start-server.fixture.ts'

const accepted = { success: true, requestId: 'r', uploadId: 'u', usage: { count: 1, limit: -1, remaining: -1 } }
const text = { connections: ['x-thetower'], text: 'hello' }

async function startApi(replies: Reply[], options: Partial<CarillonOptions> = {}) {
  const server = await startServer(...replies)
  const { baseUrl } = server
  const carillon = createCarillon({ baseUrl, apiKey: 'sk_test', workspaceId: 'w1', retryDelayMs: 5, ...options })
  return { server, carillon, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function errorOf(call: Promise<unknown>): Promise<CarillonError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof CarillonError) return error
  throw new Error('The call did not fail with a CarillonError.', { cause: error })
}

describe('a call', () => {
  test('sends key, workspace and body, and gives the data of the envelope', async () => {
    await using api = await startApi([jsonReply(201, { success: true, data: accepted })])
    expect(await api.carillon.content.createText(text)).toEqual(accepted)
    const [request] = api.server.requests
    expect(request).toMatchObject({ method: 'POST', url: '/api/content/text', body: JSON.stringify(text) })
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk_test', 'x-workspace-id': 'w1' })
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('that connects accounts goes to the host itself, not below /api', async () => {
    await using api = await startApi([okReply({ authorizeUrl: 'https://x.example', expiresAt: 'soon' })])
    const { authorizeUrl } = await api.carillon.integrations.start('mastodon', { instanceUrl: 'tower.example' })
    expect(authorizeUrl).toBe('https://x.example')
    expect(api.server.requests[0]).toMatchObject({ method: 'POST', url: '/integrations/mastodon/start' })
    expect(api.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sk_test', 'x-workspace-id': 'w1' })
  })

  test('can be limited to one version of a draft, and marked as saved by a program', async () => {
    const current = { uploadId: 'p1', text: 'theirs' }
    const refusal = { code: 'draft_changed', message: 'Changed.', action: 'fix_request', retryable: false, current }
    await using api = await startApi([jsonReply(412, { success: false, error: refusal })])
    const call = api.carillon.content.update('p1', { text: 'mine' }, { ifUpdatedAt: '2026-11-15T09:00:00.000Z', autosave: true })
    expect(await errorOf(call)).toMatchObject({ code: 'draft_changed', status: 412, current })
    expect(api.server.requests[0]?.headers).toMatchObject({ 'if-match': '"2026-11-15T09:00:00.000Z"', prefer: 'autosave' })
  })

  test('puts its arguments into path, query, body and headers', async () => {
    await using api = await startApi([okReply(null)])
    const { content, workspaces } = api.carillon
    await content.status('a b')
    await content.resolve('p1', 'c1', { outcome: 'not_published' })
    await content.remove('p/1', { unpublish: 'true' })
    await workspaces.disconnect('w2', 'n1')
    await content.list({ status: 'failed', limit: 5 }, { workspaceId: 'w9' })
    expect(api.server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/content/status?requestId=a%20b',
      'POST /api/content/p1/channels/c1/resolve',
      'DELETE /api/content/p%2F1?unpublish=true',
      'DELETE /api/workspaces/w2/connections/n1',
      'GET /api/content?status=failed&limit=5',
    ])
    expect(api.server.requests.map(({ headers }) => headers['x-workspace-id'])).toEqual(['w1', 'w1', 'w1', undefined, 'w9'])
  })

  test('sends no body if it has none, and no Idempotency-Key with a GET', async () => {
    await using api = await startApi([okReply({})])
    await api.carillon.content.publish('p1')
    await api.carillon.content.get('p1')
    const [publish, get] = api.server.requests
    expect(publish?.headers['content-type']).toBeUndefined()
    expect(publish?.headers['idempotency-key']).toBeDefined()
    expect(get?.headers['idempotency-key']).toBeUndefined()
  })

  test('sends files as a form, and the same form on a retry', async () => {
    await using api = await startApi([closeConnection, jsonReply(201, { success: true, data: { id: 'm1' } })])
    const file = new File(['the bytes'], 'tower.txt', { type: 'text/plain' })
    expect(await api.carillon.media.upload({ file })).toEqual({ id: 'm1' })
    const [first, second] = api.server.requests
    expect(second?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(second?.body).toMatch(/name="file"; filename="tower.txt"\r\nContent-Type: text\/plain\r\n\r\nthe bytes\r\n/)
    expect(second?.body).toBe(first?.body)
  })

  test('sends a list of objects in a form as one JSON part, which the service can tell from texts', async () => {
    await using api = await startApi([jsonReply(201, { success: true, data: { uploadId: 'p1' } })])
    const [medias, mediaOptions, thread] = [[new Blob(['x'])], [{ alt: 'One' }], [{ text: 'Two' }]]
    await api.carillon.content.createPhotos({ connections: ['a', 'b'], text: 'Bells', medias, mediaOptions, thread })
    const parts = api.server.requests[0]?.body.replaceAll('\r', '') ?? ''
    expect(parts).toContain('name="connections[]"\n\nb\n')
    expect(parts).toContain('name="mediaOptions"\n\n[{"alt":"One"}]\n')
    expect(parts).toContain('name="thread"\n\n[{"text":"Two"}]\n')
  })

  test('sends the photos of a post as a form if one of them is a file', async () => {
    await using api = await startApi([jsonReply(201, { success: true, data: { uploadId: 'p1' } })])
    const file = new File(['the bytes'], 'tower.png', { type: 'image/png' })
    await api.carillon.content.createPhotos({ connections: ['x-tower', 'bluesky-tower'], medias: [file, 'm1'] })
    const [request] = api.server.requests
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const names = [...(request?.body ?? '').matchAll(/; name="([^"]+)"/g)].map(([, name]) => name)
    expect(names).toEqual(['connections[]', 'connections[]', 'medias[]', 'medias[]'])
    expect(request?.body).toMatch(/name="medias\[\]"\r\n\r\nm1\r\n/)
  })

  test('without a workspace fails before anything is sent', async () => {
    await using api = await startApi([okReply({})])
    const { content } = createCarillon({ baseUrl: api.server.baseUrl, apiKey: 'sk_test' })
    await expect(content.get('p1')).rejects.toThrow('The workspace is missing')
    expect(api.server.requests).toEqual([])
  })
})

describe('a failure worth a retry', () => {
  test.each([
    ['429 with Retry-After', errorReply(429, 'rate_limited', { 'retry-after': '0' })],
    ['503 with Retry-After', errorReply(503, 'unavailable', { 'retry-after': '0' })],
    ['503 without', errorReply(503, 'unavailable')],
    ['502 with HTML from a gateway', (response) => void response.writeHead(502).end('<html>')],
    ['409 idempotency_in_flight', errorReply(409, 'idempotency_in_flight', { 'retry-after': '0' })],
    ['a lost response', closeConnection],
    ['an incomplete response', closeConnectionMidResponse],
  ] satisfies [string, Reply][])('%s: retries with the same key and body', async (_name, reply) => {
    await using api = await startApi([reply, reply, jsonReply(201, { success: true, data: accepted })])
    expect(await api.carillon.content.createText(text)).toEqual(accepted)
    expect(api.server.requests).toHaveLength(3)
    expect(new Set(api.server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(api.server.requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify(text)]))
  })

  test('two calls have different keys; a key given by the caller is used', async () => {
    await using api = await startApi([okReply({})])
    const { content } = api.carillon
    await content.publish('p1')
    await content.publish('p1')
    await content.publish('p1', { idempotencyKey: 'own-key' })
    const keys = api.server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('own-key')
  })

  test('is retried at most `retries` times', async () => {
    await using api = await startApi([closeConnection], { retries: 2 })
    expect(await errorOf(api.carillon.content.get('p1'))).toMatchObject({
      code: 'connection_failed',
      status: 0,
      retryable: true,
    })
    expect(api.server.requests).toHaveLength(3)
  })

  test('waits at least as long as Retry-After says', async () => {
    await using api = await startApi([errorReply(429, 'rate_limited', { 'retry-after': '1' }), okReply({})])
    const startedMs = performance.now()
    await api.carillon.content.get('p1')
    // Timers may fire slightly early.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(990)
  })

  test('is thrown at once if Retry-After is longer than a minute', async () => {
    await using api = await startApi([errorReply(429, 'rate_limited', { 'retry-after': '3600' })])
    expect(await errorOf(api.carillon.content.get('p1'))).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 })
    expect(api.server.requests).toHaveLength(1)
  })

  test('an attempt without a response times out', async () => {
    await using api = await startApi([() => {}], { retries: 0, timeoutMs: 50 })
    expect(await errorOf(api.carillon.content.get('p1'))).toMatchObject({ code: 'timed_out', retryable: true })
  })

  test('stops at once when the caller aborts', async () => {
    await using api = await startApi([errorReply(503, 'unavailable', { 'retry-after': '30' })])
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('aborted by caller')), 50)
    await expect(api.carillon.content.get('p1', { signal: controller.signal })).rejects.toThrow('aborted by caller')
    expect(api.server.requests).toHaveLength(1)
  })
})

describe('an error response', () => {
  test.each([
    [422, 'post_invalid'],
    [409, 'not_a_draft'],
    [500, 'internal_error'],
    [404, 'an_unknown_code'],
  ])('%i %s is thrown at once with all its fields', async (status, code) => {
    await using api = await startApi([errorReply(status, code)])
    const error = await errorOf(api.carillon.content.get('p1'))
    expect(error).toMatchObject({ code, status, action: 'wait', retryable: true, traceId: 'trace-1', message: 'A sentence.' })
    expect(error.docUrl).toBe(`https://posts.example.org/docs/errors/${code}`)
    expect(error.details).toEqual([{ path: 'text', message: 'Too long.' }])
    expect(api.server.requests).toHaveLength(1)
  })

  test.each([
    ['HTML with 404', (response) => void response.writeHead(404).end('<html>')],
    ['HTML with 200', (response) => void response.writeHead(200).end('<html>')],
    ['an empty body with 200', (response) => void response.writeHead(200).end()],
    ['foreign JSON with 200', jsonReply(200, { hello: 'world' })],
  ] satisfies [string, Reply][])('%s gives answer_unreadable', async (_name, reply) => {
    await using api = await startApi([reply])
    expect(await errorOf(api.carillon.content.get('p1'))).toMatchObject({ code: 'answer_unreadable' })
  })
})

describe('content.waitUntilFinished', () => {
  test.each(['completed', 'partial_failure', 'failed'])('ends with %s', async (status) => {
    await using api = await startApi([okReply({ status: 'queued' }), okReply({ status: 'publishing' }), okReply({ status })])
    expect(await api.carillon.content.waitUntilFinished('u')).toMatchObject({ status })
  })

  test('times out, and fails at once for a draft', async () => {
    await using publishing = await startApi([okReply({ status: 'publishing' })])
    const late = publishing.carillon.content.waitUntilFinished('u', { timeoutMs: 100 })
    expect(await errorOf(late)).toMatchObject({ code: 'wait_timed_out', retryable: true })
    await using draft = await startApi([okReply({ status: 'draft' })])
    expect(await errorOf(draft.carillon.content.waitUntilFinished('u'))).toMatchObject({ code: 'wait_pointless' })
  })
})

describe('what JavaScript would not notice is refused before anything is sent', () => {
  test.each([
    ['an option of the call that does not exist', [text, { idempotencykey: 'k' }], 'have no "idempotencykey"'],
    ['an argument too many', [text, undefined, { idempotencyKey: 'k' }], 'Too many arguments'],
  ])('%s', async (_, args, message) => {
    await using api = await startApi([okReply(accepted)])
    const createText = api.carillon.content.createText as unknown as (...all: unknown[]) => Promise<unknown>
    await expect((async () => createText(...args))()).rejects.toThrow(message)
    expect(api.server.requests).toHaveLength(0)
  })

  test('an option of the client that does not exist', () => {
    const options = { baseUrl: 'http://localhost/api', workspace: 'w1' }
    expect(() => createCarillon(options)).toThrow('have no "workspace"')
  })
})
