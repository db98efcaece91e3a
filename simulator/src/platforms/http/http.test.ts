import { expect, test } from 'vitest'
import { signRequest } from '../../../test/sign-request.ts'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

type Signing = { key?: string; atMs?: number; secret?: string }

async function openReceiver(handle?: string) {
  const simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('http', handle)
  const headersOf = (body: string, { key = 'k1', atMs = Date.now(), secret = token }: Signing) => ({
    ...signRequest({ secret, id: key, body, atMs }),
    'idempotency-key': key,
  })
  const post = (data: object, signing: Signing = {}, type = 'post.publish') => {
    const json = { type, timestamp: new Date().toISOString(), data }
    return simulator.request('/http', { json, headers: headersOf(JSON.stringify(json), signing) })
  }
  const get = (query: Record<string, string> = {}) =>
    simulator.request(`/http?${new URLSearchParams(query)}`, { headers: headersOf('', { key: query['key'] ?? 'read' }) })
  return { simulator, token, post, get, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

test('a receiver declares what it is, and a post has an id and an address with a page', async () => {
  await using receiver = await openReceiver()
  expect((await receiver.get()).body).toMatchObject({ carillon: 1, handle: 'alice', keys: true, text: { max: 25_000 } })
  const { body } = await receiver.post({ text: 'bells' })
  expect(body).toMatchObject({ postId: expect.any(String), received: { text: 'bells', media: [] } })
  const { pathname } = new URL(textAt(body, 'postUrl'))
  expect((await receiver.simulator.request(pathname)).text).toContain('bells')
})

test('a repeated key is answered with the first post, and a key is found', async () => {
  await using receiver = await openReceiver()
  const first = await receiver.post({ text: 'bells' })
  expect((await receiver.post({ text: 'bells' })).body).toEqual(first.body)
  expect((await receiver.get({ key: 'k1' })).body).toEqual(first.body)
  expect(await receiver.get({ key: 'k2' })).toMatchObject({ status: 404, body: { code: 'unknown_key' } })
  expect(await receiver.simulator.posts('?platform=http')).toHaveLength(1)
  expect(await receiver.simulator.submits('?platform=http')).toMatchObject({ carriedOut: 1 })
})

test('a wrong signature, an old one and one of the future are refused', async () => {
  await using receiver = await openReceiver()
  const status = async (signing: Signing) => (await receiver.post({ text: 'bells' }, signing)).status
  const minuteMs = 60_000
  expect([
    await status({ secret: 'whsec_AAAA' }),
    await status({ atMs: Date.now() - 6 * minuteMs }),
    await status({ atMs: Date.now() + 6 * minuteMs }),
    await status({ atMs: Date.now() - 4 * minuteMs }),
  ]).toEqual([401, 401, 401, 200])
  expect((await receiver.simulator.request('/http')).status).toBe(401)
})

test('files are fetched after the answer, and one that cannot be fetched is told by the key', async () => {
  await using receiver = await openReceiver()
  const file = { kind: 'image', mimeType: 'image/jpeg', alt: 'A bell', url: 'http://127.0.0.1:1/bell.jpg' }
  expect((await receiver.post({ text: 'bells', media: [file] })).status).toBe(202)
  await expect.poll(async () => (await receiver.get({ key: 'k1' })).body).toMatchObject({ code: 'file_not_fetched' })
})

test('posts are removed and have figures, where the receiver offers that', async () => {
  await using receiver = await openReceiver()
  const postId = textAt((await receiver.post({ text: 'bells' })).body, 'postId')
  await receiver.post({ text: 'more', replyTo: postId }, { key: 'k2' })
  expect((await receiver.get({ figures: postId })).body).toEqual({ figures: { [postId]: { likes: 0, comments: 1 } } })
  expect((await receiver.post({ postId }, { key: 'k3' }, 'post.remove')).status).toBe(200)
  expect((await receiver.post({ postId }, { key: 'k4' }, 'post.remove')).status).toBe(404)
  await using plain = await openReceiver('plain-tower')
  expect((await plain.get({ figures: postId })).body).toMatchObject({ carillon: 1, formats: ['text'] })
  expect((await plain.post({ postId }, { key: 'k3' }, 'post.remove')).status).toBe(501)
  expect((await plain.post({ text: 'a'.repeat(301) }, { key: 'k4' })).body).toMatchObject({ code: 'text_too_long' })
})

test('a receiver without keys makes a second post, and one that answers later says so', async () => {
  await using keyless = await openReceiver('keyless-tower')
  for (let n = 0; n < 2; n++) await keyless.post({ text: 'bells' })
  expect(await keyless.simulator.posts('?platform=http')).toHaveLength(2)
  expect(valueAt((await keyless.get({ key: 'k1' })).body, 'keys')).toBe(false)
  await using slow = await openReceiver('slow-tower')
  expect((await slow.post({ text: 'bells' })).status).toBe(202)
  expect((await slow.get({ key: 'k1' })).status).toBe(202)
  await slow.simulator.control('/clock', { advanceMs: 3000 })
  expect((await slow.get({ key: 'k1' })).body).toMatchObject({ postId: expect.any(String) })
})
