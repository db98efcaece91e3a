import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { clientFor, draftFor, mediaFor, newHandle, publish } from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import type { Client } from '../kit/connector.ts'
import type { Transport } from '../kit/http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { http } from './http.ts'

const fieldsOf = ({ credentials }: { credentials: { accessToken: string } }) => ({ secret: credentials.accessToken })

testConnector(http, simulate('http', { fieldsOf }))

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** A client of a receiver that answers with this. */
function answeredWith(status: number, body: unknown): Client {
  const transport: Transport = async () => ({ status, headers: {}, text: async () => JSON.stringify(body) })
  const credentials = { accessToken: secret }
  const own = createHttp({ ...http, transport, origin: 'https://tower.example/hook', credentials, nowMs: Date.now })
  return { http: own, account: { id: '1', handle: 'tower' }, credentials }
}

test('guarantee: the figures of more posts than one question asks about are all read, each of its own post', async () => {
  const asked: number[] = []
  const transport: Transport = async ({ url }) => {
    const ids = new URL(url).searchParams.getAll('figures')
    asked.push(ids.length)
    const figures = Object.fromEntries(ids.map((id) => [id, { likes: Number(id) }]))
    return { status: 200, headers: {}, text: async () => JSON.stringify({ figures }) }
  }
  const client = answeredWith(200, {})
  const own = createHttp({
    ...http,
    transport,
    origin: 'https://tower.example/hook',
    credentials: client.credentials,
    nowMs: Date.now,
  })
  const ids = Array.from({ length: 45 }, (_, n) => String(n))
  const found = await http.metrics?.({ ...client, http: own }, ids)
  expect([...(found ?? [])]).toEqual(ids.map((id) => [id, { likes: Number(id) }]))
  expect(asked).toEqual([20, 20, 5])
})

describe('what only a receiver does', () => {
  const platform = simulate('http', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = async (handle: string, transport = platform.transport) => {
    const { account, credentials } = await platform.connect(handle)
    const client = clientFor(http, { ...platform, transport }, account, credentials)
    return { client, connector: http, testPlatform: platform }
  }
  const sentOf = (draft: ReturnType<typeof draftFor>, handle = newHandle()) => ({
    draft: { ...draft, media: [], settings: {} },
    staged: null,
    handle,
    window: { fromMs: 0, untilMs: platform.nowMs() },
    knownPostIds: new Set<string>(),
  })

  test('guarantee: the secret signs every request and is in none', async () => {
    const sent: string[] = []
    const account = await open('tower', async (request) => {
      const body = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      sent.push(JSON.stringify([request.url, request.headers, body]))
      return platform.transport(request)
    })
    const { client } = account
    const outcome = await publish(account, draftFor(account, { format: 'photo' }))
    const postId = outcome.state === 'published' ? outcome.postId : ''
    await http.metrics?.(client, [postId])
    await http.remove?.(client, postId)
    expect(sent.length).toBeGreaterThan(3)
    for (const request of sent) {
      expect(request).toContain('webhook-signature')
      expect(request).not.toContain(client.credentials.accessToken.slice('whsec_'.length))
      expect(request).not.toContain('authorization')
    }
  })

  /** Guarantee: a lost answer is never repeated where a repeat would be a second post. */
  test('a receiver that does not recognise keys is never said to have no post', async () => {
    const account = await open('keyless-tower')
    const draft = draftFor(account)
    const handle = newHandle()
    await publish(account, draft, handle)
    expect(await http.find?.(account.client, sentOf(draft, handle))).toEqual({ state: 'unknown' })
    expect(await http.find?.(account.client, sentOf(draft))).toEqual({ state: 'unknown' })
    expect((await http.capabilities?.read(account.client))?.rules.handle).toBe('none')
  })

  test('a receiver that says 202 is asked until it knows, and its refusal is one of the post', async () => {
    const account = await open('slow-tower')
    const draft = draftFor(account)
    const handle = newHandle()
    const first = await http.submit(account.client, { ...draft, settings: {} }, null, handle)
    expect(first).toEqual({ state: 'processing', reference: handle.key, checkAfterMs: 1000 })
    await platform.wait(3000)
    expect(await http.check?.(account.client, handle.key)).toMatchObject({ state: 'published' })
    await expect(http.check?.(account.client, 'another')).rejects.toMatchObject({ kind: 'unknown' })

    const broken = { ...mediaFor(platform, 'image', ''), url: async () => 'http://127.0.0.1:1/bell.jpg' }
    const unfetched = draftFor(account, { format: 'photo', media: [broken] })
    await expect(publish(account, unfetched)).rejects.toMatchObject({ kind: 'rejected', reason: 'file_not_fetched' })
  })

  test('a success without a postId is no success', async () => {
    const account = await open('mute-tower')
    await expect(publish(account, draftFor(account))).rejects.toMatchObject({ kind: 'unknown' })
  })

  test('what a receiver declares is what its account may do', async () => {
    const { client } = await open('plain-tower')
    expect((await http.capabilities?.read(client))?.rules).toMatchObject({
      formats: ['text'],
      text: { max: 300 },
      can: { firstComment: false, thread: false },
    })
    await expect(http.remove?.(client, '1')).rejects.toMatchObject({ kind: 'rejected' })
    expect(await http.metrics?.(client, ['1'])).toEqual(new Map())
  })

  test('connecting says which mistake was made', async () => {
    const { credentials } = await platform.connect('tower')
    const signIn = (entered: string, origin = platform.origin()) => {
      const { transport } = platform
      const own = createHttp({ transport, origin, credentials: null, classify: http.classify, nowMs: platform.nowMs })
      return auth.open(own, { secret: entered }, 0)
    }
    await expect(signIn(` ${credentials.accessToken}\n`)).resolves.toEqual({ accessToken: credentials.accessToken })
    await expect(signIn('short')).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining('16 characters') })
    await expect(signIn(secret)).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining('signature') })
    const page = platform.origin().replace('/http', '/feed/http')
    for (const elsewhere of [page, `${page}/nowhere`]) {
      const message = expect.stringContaining('"carillon": 1')
      await expect(signIn(secret, elsewhere)).rejects.toMatchObject({ kind: 'auth', message })
    }
    await expect(signIn(secret, 'http://127.0.0.1:1')).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

/** Guarantee: limits of a declaration that make no sense are not taken over, and none is beyond ours. */
test.each([
  [{}, { handle: 'none', can: { firstComment: false, thread: false } }],
  [
    { keys: 'yes', replies: 1 },
    { handle: 'none', can: { firstComment: false, thread: false } },
  ],
  [
    { text: { max: -1, counting: 'bells' }, photos: { max: 99 } },
    { text: {}, photos: {} },
  ],
  [{ text: { max: 280, counting: 'utf16' } }, { text: { max: 280, counting: 'utf16' } }],
  [{ formats: ['photo', 'bells'] }, { formats: ['photo'], text: { alone: false } }],
  [{ formats: [], text: 'long' }, { text: {} }],
  [
    { photos: { max: 4, mimeTypes: ['image/png', 'image/bell'], bytesMax: 1e99 } },
    { photos: { max: 4, mimeTypes: ['image/png'] } },
  ],
  [
    { video: { secondsMax: 60 }, altTextMax: 100 },
    { video: { secondsMax: 60 }, altTextMax: 100 },
  ],
])('declared %j', async (declared, rules) => {
  const read = await http.capabilities?.read(answeredWith(200, { carillon: 1, ...declared }))
  expect(read?.rules).toMatchObject(rules)
  expect(read?.rules).toEqual({ photos: {}, video: {}, text: {}, can: expect.anything(), handle: 'none', ...rules })
})

test.each([
  [
    { postId: 7, postUrl: 'https://tower.example/7' },
    { postId: '7', postUrl: 'https://tower.example/7' },
  ],
  [{ postId: 'a b' }, { postId: 'a b', postUrl: null }],
  [
    { postId: '7', postUrl: 'javascript:alert(1)' },
    { postId: '7', postUrl: null },
  ],
])('the answer %j', async (body, outcome) => {
  expect(await http.check?.(answeredWith(200, body), 'k')).toEqual({ state: 'published', ...outcome })
})

test.each([{}, { postId: '' }, { postId: 'a'.repeat(501) }, null])('the answer %j names no post', async (body) => {
  await expect(http.check?.(answeredWith(200, body), 'k')).rejects.toMatchObject({ kind: 'unknown' })
})

test.each([
  [401, {}, 'auth', 'reconnect'],
  [403, {}, 'auth', 'reconnect'],
  [404, {}, 'unavailable', 'unreachable'],
  [404, { code: 'not_found' }, 'gone', 'not_found'],
  [422, { code: 'text_too_long' }, 'rejected', 'text_too_long'],
  [422, { code: 'bells', message: 'No bells on Sunday' }, 'rejected', 'refused'],
  [422, { code: 'constructor' }, 'rejected', 'refused'],
  [503, {}, 'unknown', null],
])('the refusal %i %j', (status, body, kind, reason) => {
  expect(http.classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, reason })
})
