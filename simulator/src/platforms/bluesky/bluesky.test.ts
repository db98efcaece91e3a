import { expect, test } from 'vitest'
import { at, list, openTestWorld, text, type Person } from '../../../test/start-test-simulator.ts'

const repo = '/bluesky/xrpc/com.atproto.repo'
const server = '/bluesky/xrpc/com.atproto.server'
const collection = 'app.bsky.feed.post'
const rkey = '3jzfcijpj2z2a'
const createdAt = '2026-01-01T00:00:00.000Z'

function put(person: Person, record: object, more: object = {}) {
  const value = { $type: collection, createdAt, ...record }
  return { token: person.token, json: { repo: person.id, collection, rkey, record: value, ...more } }
}

test('putRecord writes once, and an equal record is a no-op without commit', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  const first = await world.ask(`${repo}.putRecord`, put(alice, { text: 'hello' }))
  expect(first.status).toBe(200)
  expect(at(first.body, 'commit')).toBeDefined()
  expect(first.headers.get('ratelimit-remaining')).toBe('4998')
  // The keys in another order are the same record, even for a create-only write.
  const value = { createdAt, text: 'hello', $type: collection }
  const again = await world.ask(`${repo}.putRecord`, {
    token: alice.token,
    json: { repo: alice.id, collection, rkey, record: value, swapRecord: null },
  })
  expect(again.body).toEqual({ uri: at(first.body, 'uri'), cid: at(first.body, 'cid'), validationStatus: 'valid' })
  expect(await world.posts()).toHaveLength(1)

  const other = await world.ask(`${repo}.putRecord`, put(alice, { text: 'other' }, { swapRecord: null }))
  expect(other).toMatchObject({ status: 400, body: { error: 'InvalidSwap' } })
  const edited = await world.ask(`${repo}.putRecord`, put(alice, { text: 'edited' }, { swapRecord: at(first.body, 'cid') }))
  expect(edited.status).toBe(200)
  expect(await world.posts()).toMatchObject([{ text: 'edited' }])
})

test('a record is read, listed, counted and deleted', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  const made = await world.ask(`${repo}.createRecord`, {
    token: alice.token,
    json: { repo: alice.id, collection, record: { $type: collection, text: 'root', createdAt } },
  })
  const uri = text(made.body, 'uri')
  const parent = { uri, cid: text(made.body, 'cid') }
  await world.ask(`${repo}.putRecord`, put(alice, { text: 'reply', reply: { root: parent, parent } }))
  const key = uri.split('/').at(-1)
  const query = `repo=${alice.id}&collection=${collection}`
  expect((await world.ask(`${repo}.getRecord?${query}&rkey=${key}`)).body).toMatchObject({ uri, value: { text: 'root' } })
  expect(list(at((await world.ask(`${repo}.listRecords?${query}`)).body, 'records'))).toHaveLength(2)
  const seen = await world.ask(`/bluesky/xrpc/app.bsky.feed.getPosts?uris=${encodeURIComponent(uri)}`)
  expect(at(seen.body, 'posts', 0)).toMatchObject({ replyCount: 1, author: { handle: 'alice.bsky.test' } })

  const again = await world.ask(`${repo}.createRecord`, {
    token: alice.token,
    json: { repo: alice.id, collection, rkey, record: { $type: collection, text: 'x', createdAt } },
  })
  expect(again.status).toBe(500)
  const remove = () => world.ask(`${repo}.deleteRecord`, { token: alice.token, json: { repo: alice.id, collection, rkey } })
  expect((await remove()).status).toBe(200)
  expect((await remove()).body).toEqual({})
  expect(await world.ask(`${repo}.getRecord?${query}&rkey=${rkey}`)).toMatchObject({
    status: 400,
    body: { error: 'RecordNotFound' },
  })
})

test.each([
  ['graphemes', '👨‍👩‍👧'.repeat(100) + 'a'.repeat(200), 200],
  ['one grapheme more', 'a'.repeat(301), 400],
  ['bytes', '👨‍👩‍👧'.repeat(166) + 'a'.repeat(12), 200],
  ['one byte more', '👨‍👩‍👧'.repeat(166) + 'a'.repeat(13), 400],
])('300 graphemes and 3000 bytes: %s', async (_, words, status) => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  expect((await world.ask(`${repo}.putRecord`, put(alice, { text: words }))).status).toBe(status)
})

test('facets must be byte ranges of the text', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  const facet = (byteStart: number, byteEnd: number) => ({
    text: 'é https://a.example',
    facets: [{ index: { byteStart, byteEnd }, features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example' }] }],
  })
  for (const [start, end] of [
    [1, 5],
    [3, 99],
    [5, 5],
  ] as const) {
    expect(await world.ask(`${repo}.putRecord`, put(alice, facet(start, end)))).toMatchObject({
      status: 400,
      body: { error: 'InvalidRequest' },
    })
  }
  expect((await world.ask(`${repo}.putRecord`, put(alice, facet(3, 20)))).status).toBe(200)
  expect((await world.ask(`${repo}.putRecord`, put(alice, { text: 'x' }, { rkey: 'not-a-tid' }))).status).toBe(400)
})

test('sessions expire, rotate and end', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  const signIn = (password: string) => world.ask(`${server}.createSession`, { json: { identifier: 'alice.bsky.test', password } })
  expect(await signIn('wrong')).toMatchObject({ status: 401, body: { error: 'AuthenticationRequired' } })
  const session = await signIn(alice.password)
  expect(session.body).toMatchObject({ did: alice.id, handle: 'alice.bsky.test' })
  expect(await world.ask(`${repo}.putRecord`, put({ ...alice, token: 'nonsense' }, { text: 'x' }))).toMatchObject({
    status: 400,
    body: { error: 'InvalidToken' },
  })
  expect((await world.ask(`${repo}.putRecord`, { json: {} })).status).toBe(401)

  await world.control('/tokens/expire', { platform: 'bluesky', handle: 'alice' })
  expect(await world.ask(`${repo}.putRecord`, put(alice, { text: 'x' }))).toMatchObject({
    status: 400,
    body: { error: 'ExpiredToken' },
  })
  const refresh = (token: string) => world.ask(`${server}.refreshSession`, { method: 'POST', token })
  const next = await refresh(alice.refresh)
  expect(
    (await world.ask(`${repo}.putRecord`, put({ ...alice, token: text(next.body, 'accessJwt') }, { text: 'x' }))).status,
  ).toBe(200)
  expect(await refresh(alice.refresh)).toMatchObject({ status: 400, body: { error: 'ExpiredToken' } })
  await world.control('/tokens/revoke', { platform: 'bluesky', handle: 'alice' })
  expect((await refresh(text(next.body, 'refreshJwt'))).status).toBe(400)
})

test('a blob is checked when a record refers to it', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  const upload = async (bytes: number, type: string) =>
    at(
      (
        await world.ask(`${repo}.uploadBlob`, {
          token: alice.token,
          body: new Uint8Array(bytes),
          headers: { 'content-type': type },
        })
      ).body,
      'blob',
    )
  const embed = (image: unknown) => ({ text: '', embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: 'a bell' }] } })
  const large = await upload(2_000_001, 'image/png')
  expect(await world.ask(`${repo}.putRecord`, put(alice, embed(large)))).toMatchObject({
    status: 400,
    body: { error: 'BlobTooLarge' },
  })
  const film = await upload(10, 'video/mp4')
  expect(await world.ask(`${repo}.putRecord`, put(alice, embed(film)))).toMatchObject({
    status: 400,
    body: { error: 'InvalidMimeType' },
  })
  expect((await world.ask(`${repo}.putRecord`, put(alice, embed(await upload(2_000_000, 'image/png'))))).status).toBe(200)
  expect(await world.posts()).toMatchObject([{ media: [{ alt: 'a bell', mime: 'image/png' }] }])
})

test('writes are charged in points', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('bluesky')
  await world.control('/settings', { platform: 'bluesky', limits: { writesHour: { max: 3 } } })
  expect((await world.ask(`${repo}.putRecord`, put(alice, { text: 'one' }))).status).toBe(200)
  const over = await world.ask(`${repo}.putRecord`, put(alice, { text: 'two' }))
  expect(over).toMatchObject({ status: 429, body: { error: 'RateLimitExceeded' } })
  expect(Number(over.headers.get('ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
})
