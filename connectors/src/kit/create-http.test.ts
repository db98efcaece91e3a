import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { createHttp, type HttpOptions } from './create-http.ts'
import { NotConnected, type Transport, type TransportReply } from './http.ts'
import { refusalByStatus, refuse } from './refusal.ts'

const Answer = Type.Object({ id: Type.String() })

type Request = Parameters<Transport>[0]

function open(reply: (request: Request) => Promise<TransportReply>, options: Partial<HttpOptions> = {}) {
  const requests: Request[] = []
  const http = createHttp({
    transport: (request) => {
      requests.push(request)
      return reply(request)
    },
    origin: 'https://api.example/v1',
    credentials: { accessToken: 'secret' },
    classify: (refused, nowMs) => refuse(refusalByStatus('Example', refused.status), null, refused, nowMs),
    nowMs: () => 0,
    timeoutMs: 50,
    ...options,
  })
  return { http, requests }
}

const answering = (status: number, text: string) => async () => ({ status, headers: {}, text: async () => text })
const failing = (cause: Error) => async () => {
  throw cause
}
const post = { method: 'POST', path: '/posts', returns: Answer } as const
const get = { ...post, method: 'GET' } as const

/** Guarantee: a failure is `unavailable` only if the platform certainly did nothing; otherwise it is `unknown`. */
describe('failures', () => {
  test.for([
    { name: 'no connection', reply: failing(new NotConnected()), onPost: 'unavailable' },
    { name: 'a broken connection', reply: failing(new Error('reset')), onPost: 'unknown' },
    { name: 'no answer', reply: () => new Promise<never>(() => {}), onPost: 'unknown' },
    { name: 'a success with an unexpected body', reply: answering(200, '{"ok":true}'), onPost: 'unknown' },
    { name: 'a success that is not JSON', reply: answering(200, '<html>'), onPost: 'unknown' },
    { name: 'a server error', reply: answering(503, ''), onPost: 'unknown' },
    { name: 'an empty success', reply: answering(204, ''), onPost: 'unknown' },
  ])('$name', async ({ reply, onPost }) => {
    await expect(open(reply).http.call(post)).rejects.toMatchObject({ name: 'PlatformError', kind: onPost })
    // A read changes nothing, so a failed one can be repeated.
    await expect(open(reply).http.call(get)).rejects.toMatchObject({ name: 'PlatformError', kind: 'unavailable' })
  })

  test('a refusal stays a refusal when its body cannot be read, but not one for good: the reason is not known', async () => {
    const reply = async () => ({ status: 422, headers: {}, text: () => Promise.reject(new Error('too large')) })
    await expect(open(reply).http.call(post)).rejects.toMatchObject({ kind: 'rejected', isTemporary: true })
    await expect(open(answering(422, '{}')).http.call(post)).rejects.toMatchObject({ kind: 'rejected', isTemporary: false })
  })
})

/**
 * Guarantee: a page that a filter in front of a platform answers is no refusal of the post. Cloudflare asks programs to prove that they are people,
 * and the request has not reached the platform.
 */
test('a page with status 403 is `unavailable`, and a refusal with status 403 is not', async () => {
  const page = '\n<!DOCTYPE html><html lang="en"><title>Just a moment...</title></html>'
  const filtered = { kind: 'unavailable', reason: 'unreachable', platformCode: '403' }
  await expect(open(answering(403, page)).http.call(post)).rejects.toMatchObject(filtered)
  await expect(open(answering(403, '<html><title>Attention Required!</title>')).http.call(post)).rejects.toMatchObject(filtered)
  await expect(open(answering(403, '{"error":"no"}')).http.call(post)).rejects.toMatchObject({ kind: 'rejected' })
  await expect(open(answering(403, '')).http.call(post)).rejects.toMatchObject({ kind: 'rejected' })
  await expect(open(answering(404, page)).http.call(post)).rejects.toMatchObject({ kind: 'gone' })
  // An address for one upload is refused by its storage, whose errors are pages, too.
  await expect(open(answering(403, page)).http.call({ ...post, anonymous: true })).rejects.toMatchObject({ kind: 'rejected' })
})

/** Guarantee: `beforeWrite` reaches the transport with every request, and its refusal means that nothing was sent. */
describe('beforeWrite', () => {
  test('is passed with every request', async () => {
    const beforeWrite = () => {}
    const { http, requests } = open(answering(200, '{"id":"1"}'), { beforeWrite })
    await http.call(post)
    await http.call(get)
    expect(requests.map((request) => request.beforeWrite)).toEqual([beforeWrite, beforeWrite])
  })

  test('a refusal is `unavailable`, and its reason is among the causes', async () => {
    const reason = new Error('the lease has ended')
    const beforeWrite = () => {
      throw reason
    }
    const reply = async (request: Request) => {
      try {
        request.beforeWrite?.()
      } catch (cause) {
        throw new NotConnected('withdrawn', { cause })
      }
      return { status: 200, headers: {}, text: async () => '{"id":"1"}' }
    }
    const refused = { name: 'PlatformError', kind: 'unavailable', cause: { cause: reason } }
    await expect(open(reply, { beforeWrite }).http.call(post)).rejects.toMatchObject(refused)
  })
})

/** Guarantee: an id in a header whose bytes are no text is recognised as damaged, like one in a body. */
test.each([
  { what: 'bytes that are no text', sent: '1\u00ff\u00fe', read: '1\uFFFD\uFFFD' },
  { what: 'bytes of UTF-8', sent: 'Gr\u00c3\u00bc\u00c3\u009fe', read: 'Grüße' },
  { what: 'ASCII', sent: 'urn:li:share:1', read: 'urn:li:share:1' },
  { what: 'text that was decoded already', sent: 'already 文字', read: 'already 文字' },
])('a header with $what', async ({ sent, read }) => {
  const reply = async () => ({ status: 200, headers: { 'x-restli-id': sent }, text: async () => '{"id":"1"}' })
  expect((await open(reply).http.exchange(post)).headers).toEqual({ 'x-restli-id': read })
})

/** Guarantee: a platform's strings are cleaned where they enter. */
test('an answer with NUL and half surrogate pairs', async () => {
  const unclean = async () => ({
    status: 200,
    headers: { 'x-restli-id': '1\u00002', note: '\ud83d' },
    text: async () => String.raw`{"id":"1\u00002 \ud83d"}`,
  })
  const { headers, body } = await open(unclean).http.exchange(post)
  expect({ headers, body }).toEqual({ headers: { 'x-restli-id': '1\uFFFD2', note: '\uFFFD' }, body: { id: '1\uFFFD2 \uFFFD' } })
})

/** Guarantee: the token is sent to the connector's own origin, and to no other host that the connector does not name. */
describe('the token', () => {
  const ok = answering(200, '{"id":"1"}')

  test('is sent as a bearer header by default, or as `attach` says', async () => {
    const { http, requests } = open(ok)
    await http.call(post)
    expect(requests[0]?.headers.authorization).toBe('Bearer secret')
    const other = open(ok, { attach: (token) => ({ query: { access_token: token } }) })
    await other.http.call(post)
    expect(other.requests[0]).toMatchObject({ url: 'https://api.example/v1/posts?access_token=secret' })
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is not sent with anonymous calls or to other hosts', async () => {
    const { http, requests } = open(ok)
    await http.call({ ...post, anonymous: true })
    await http.call({ ...post, path: 'https://elsewhere.example/posts' })
    for (const { headers } of requests) expect(headers).not.toHaveProperty('authorization')
  })

  test('is sent to another host where the connector says that it is its own', async () => {
    const { http, requests } = open(ok)
    await http.call({ ...post, path: 'https://more.example/posts', isOwnHost: true })
    await http.call({ ...post, path: 'https://more.example/posts', isOwnHost: true, anonymous: true })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined])
  })
})

/** Guarantee: every kind of body is encoded as its content type says. */
test('bodies and queries', async () => {
  const { http, requests } = open(answering(200, '{"id":"1"}'))
  const multipart = new FormData()
  multipart.set('media', new Blob(['bytes']), 'bell.png')
  await http.call({ ...post, json: { a: 1 } })
  await http.call({ ...post, form: { a: '1', left: undefined, b: 'ö' } })
  await http.call({ ...post, multipart })
  await http.call({ ...get, query: { ids: ['1', '2'], none: undefined } })
  expect(requests[0]).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'application/json' } })
  expect(requests[1]).toMatchObject({ body: 'a=1&b=%C3%B6', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  expect(requests[2]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(requests[3]?.url).toBe('https://api.example/v1/posts?ids=1&ids=2')
})
