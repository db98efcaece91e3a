import { expect, test } from 'vitest'
import { valueAt, toList, startTestSimulator, textAt, type TestAccount } from '../../../test/start-test-simulator.ts'

const repo = '/bluesky/xrpc/com.atproto.repo'
const server = '/bluesky/xrpc/com.atproto.server'
const collection = 'app.bsky.feed.post'
const rkey = '3jzfcijpj2z2a'
const createdAt = '2026-01-01T00:00:00.000Z'

function put(person: TestAccount, record: object, more: object = {}) {
  const value = { $type: collection, createdAt, ...record }
  return { token: person.token, json: { repo: person.id, collection, rkey, record: value, ...more } }
}

test('putRecord writes once, and an equal record is a no-op without commit', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const first = await simulator.request(`${repo}.putRecord`, put(alice, { text: 'hello' }))
  expect(first.status).toBe(200)
  expect(valueAt(first.body, 'commit')).toBeDefined()
  expect(first.headers.get('ratelimit-remaining')).toBe('4998')
  // A record with its keys in another order is the same record, even for a write with `swapRecord: null`.
  const value = { createdAt, text: 'hello', $type: collection }
  const again = await simulator.request(`${repo}.putRecord`, {
    token: alice.token,
    json: { repo: alice.id, collection, rkey, record: value, swapRecord: null },
  })
  expect(again.body).toEqual({ uri: valueAt(first.body, 'uri'), cid: valueAt(first.body, 'cid'), validationStatus: 'valid' })
  expect(await simulator.posts()).toHaveLength(1)

  const other = await simulator.request(`${repo}.putRecord`, put(alice, { text: 'other' }, { swapRecord: null }))
  expect(other).toMatchObject({ status: 400, body: { error: 'InvalidSwap' } })
  const edited = await simulator.request(
    `${repo}.putRecord`,
    put(alice, { text: 'edited' }, { swapRecord: valueAt(first.body, 'cid') }),
  )
  expect(edited.status).toBe(200)
  expect(await simulator.posts()).toMatchObject([{ text: 'edited' }])
})

test('a record is read, listed, counted and deleted', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const made = await simulator.request(`${repo}.createRecord`, {
    token: alice.token,
    json: { repo: alice.id, collection, record: { $type: collection, text: 'root', createdAt } },
  })
  const uri = textAt(made.body, 'uri')
  const parent = { uri, cid: textAt(made.body, 'cid') }
  await simulator.request(`${repo}.putRecord`, put(alice, { text: 'reply', reply: { root: parent, parent } }))
  const key = uri.split('/').at(-1)
  const query = `repo=${alice.id}&collection=${collection}`
  expect((await simulator.request(`${repo}.getRecord?${query}&rkey=${key}`)).body).toMatchObject({ uri, value: { text: 'root' } })
  expect(toList(valueAt((await simulator.request(`${repo}.listRecords?${query}`)).body, 'records'))).toHaveLength(2)
  const seen = await simulator.request(`/bluesky/xrpc/app.bsky.feed.getPosts?uris=${encodeURIComponent(uri)}`)
  expect(valueAt(seen.body, 'posts', 0)).toMatchObject({ replyCount: 1, author: { handle: 'alice.bsky.test' } })

  const again = await simulator.request(`${repo}.createRecord`, {
    token: alice.token,
    json: { repo: alice.id, collection, rkey, record: { $type: collection, text: 'x', createdAt } },
  })
  expect(again.status).toBe(500)
  const remove = () =>
    simulator.request(`${repo}.deleteRecord`, { token: alice.token, json: { repo: alice.id, collection, rkey } })
  expect((await remove()).status).toBe(200)
  expect((await remove()).body).toEqual({})
  expect(await simulator.request(`${repo}.getRecord?${query}&rkey=${rkey}`)).toMatchObject({
    status: 400,
    body: { error: 'RecordNotFound' },
  })
})

test.each([
  ['graphemes', '👨‍👩‍👧'.repeat(100) + 'a'.repeat(200), 200],
  ['one grapheme too many', 'a'.repeat(301), 400],
  ['bytes', '👨‍👩‍👧'.repeat(166) + 'a'.repeat(12), 200],
  ['one byte too many', '👨‍👩‍👧'.repeat(166) + 'a'.repeat(13), 400],
])('a text has at most 300 graphemes and 3000 bytes: %s', async (_, content, status) => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  expect((await simulator.request(`${repo}.putRecord`, put(alice, { text: content }))).status).toBe(status)
})

test('facets must be byte ranges of the text', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const facet = (byteStart: number, byteEnd: number) => ({
    text: 'é https://a.example',
    facets: [{ index: { byteStart, byteEnd }, features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example' }] }],
  })
  for (const [start, end] of [
    [1, 5],
    [3, 99],
    [5, 5],
  ] as const) {
    expect(await simulator.request(`${repo}.putRecord`, put(alice, facet(start, end)))).toMatchObject({
      status: 400,
      body: { error: 'InvalidRequest' },
    })
  }
  expect((await simulator.request(`${repo}.putRecord`, put(alice, facet(3, 20)))).status).toBe(200)
  expect((await simulator.request(`${repo}.putRecord`, put(alice, { text: 'x' }, { rkey: 'not-a-tid' }))).status).toBe(400)
})

test('sessions expire, are refreshed and end', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const signIn = (password: string) =>
    simulator.request(`${server}.createSession`, { json: { identifier: 'alice.bsky.test', password } })
  expect(await signIn('wrong')).toMatchObject({ status: 401, body: { error: 'AuthenticationRequired' } })
  const session = await signIn(alice.password)
  expect(session.body).toMatchObject({ did: alice.id, handle: 'alice.bsky.test' })
  expect(await simulator.request(`${repo}.putRecord`, put({ ...alice, token: 'nonsense' }, { text: 'x' }))).toMatchObject({
    status: 400,
    body: { error: 'InvalidToken' },
  })
  expect((await simulator.request(`${repo}.putRecord`, { json: {} })).status).toBe(401)

  await simulator.control('/tokens/expire', { platform: 'bluesky', handle: 'alice' })
  expect(await simulator.request(`${repo}.putRecord`, put(alice, { text: 'x' }))).toMatchObject({
    status: 400,
    body: { error: 'ExpiredToken' },
  })
  const refresh = (token: string) => simulator.request(`${server}.refreshSession`, { method: 'POST', token })
  const next = await refresh(alice.refresh)
  expect(
    (await simulator.request(`${repo}.putRecord`, put({ ...alice, token: textAt(next.body, 'accessJwt') }, { text: 'x' })))
      .status,
  ).toBe(200)
  expect(await refresh(alice.refresh)).toMatchObject({ status: 400, body: { error: 'ExpiredToken' } })
  await simulator.control('/tokens/revoke', { platform: 'bluesky', handle: 'alice' })
  expect((await refresh(textAt(next.body, 'refreshJwt'))).status).toBe(400)
})

test('a blob is checked when a record refers to it', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const upload = async (bytes: number, type: string) =>
    valueAt(
      (
        await simulator.request(`${repo}.uploadBlob`, {
          token: alice.token,
          body: new Uint8Array(bytes),
          headers: { 'content-type': type },
        })
      ).body,
      'blob',
    )
  const embed = (image: unknown) => ({ text: '', embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: 'a bell' }] } })
  const large = await upload(2_000_001, 'image/png')
  expect(await simulator.request(`${repo}.putRecord`, put(alice, embed(large)))).toMatchObject({
    status: 400,
    body: { error: 'BlobTooLarge' },
  })
  const videoBytes = await upload(10, 'video/mp4')
  expect(await simulator.request(`${repo}.putRecord`, put(alice, embed(videoBytes)))).toMatchObject({
    status: 400,
    body: { error: 'InvalidMimeType' },
  })
  expect((await simulator.request(`${repo}.putRecord`, put(alice, embed(await upload(2_000_000, 'image/png'))))).status).toBe(200)
  expect(await simulator.posts()).toMatchObject([{ media: [{ alt: 'a bell', mime: 'image/png' }] }])
})

test('a link card has an address and two texts, and its picture half the size of others', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const upload = async (bytes: number, type: string) => {
    const headers = { 'content-type': type }
    const body = new Uint8Array(bytes)
    return valueAt((await simulator.request(`${repo}.uploadBlob`, { token: alice.token, body, headers })).body, 'blob')
  }
  const send = (external: unknown) =>
    simulator.request(`${repo}.putRecord`, put(alice, { text: '', embed: { $type: 'app.bsky.embed.external', external } }))
  const card = { uri: 'https://example.com/', title: 'Bells', description: '' }
  expect((await send(undefined)).status).toBe(400)
  for (const missing of ['uri', 'title', 'description']) expect((await send({ ...card, [missing]: undefined })).status).toBe(400)
  expect((await send({ ...card, uri: 'no address' })).status).toBe(400)
  expect(await send({ ...card, thumb: await upload(1_000_001, 'image/png') })).toMatchObject({ body: { error: 'BlobTooLarge' } })
  expect(await send({ ...card, thumb: await upload(10, 'video/mp4') })).toMatchObject({ body: { error: 'InvalidMimeType' } })
  const thumb = await upload(1_000_000, 'image/png')
  expect((await send({ ...card, thumb })).status).toBe(200)
  const picture = textAt(thumb, 'ref', '$link')
  expect(await simulator.posts()).toMatchObject([
    { media: [], link: { url: card.uri, title: 'Bells', description: '', picture } },
  ])
})

test('an account keeps its blob when another account uploads the same file', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky', 'alice')
  const bob = await simulator.openAccount('bluesky', 'bob')
  const upload = async ({ token }: typeof alice) => {
    const headers = { 'content-type': 'image/png' }
    return valueAt((await simulator.request(`${repo}.uploadBlob`, { token, body: new Uint8Array(10), headers })).body, 'blob')
  }
  const embed = (image: unknown) => ({ text: '', embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: 'a bell' }] } })
  const blob = await upload(alice)
  expect(await simulator.request(`${repo}.putRecord`, put(bob, embed(blob)))).toMatchObject({ body: { error: 'BlobNotFound' } })
  expect(await upload(bob)).toEqual(blob)
  for (const account of [alice, bob]) {
    expect((await simulator.request(`${repo}.putRecord`, put(account, embed(blob)))).status).toBe(200)
  }
})

test('writes are charged in points', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  await simulator.control('/settings', { platform: 'bluesky', limits: { writesHour: { max: 3 } } })
  expect((await simulator.request(`${repo}.putRecord`, put(alice, { text: 'one' }))).status).toBe(200)
  const over = await simulator.request(`${repo}.putRecord`, put(alice, { text: 'two' }))
  expect(over).toMatchObject({ status: 429, body: { error: 'RateLimitExceeded' } })
  expect(Number(over.headers.get('ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
})

test('the video service takes what the data server signed for it, and nothing else', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const video = '/bluesky/xrpc/app.bsky.video'
  const pds = textAt((await simulator.request(`${server}.describeServer`)).body, 'did')
  const signFor = async (aud: string, lxm: string) => {
    const exp = Math.floor(Date.now() / 1000) + 1800
    const query = new URLSearchParams({ aud, lxm, exp: String(exp) })
    return textAt((await simulator.request(`${server}.getServiceAuth?${query.toString()}`, { token: alice.token })).body, 'token')
  }
  const upload = (token: string) =>
    simulator.request(`${video}.uploadVideo?did=${alice.id}&name=a.mp4`, {
      token,
      body: new Uint8Array(10),
      headers: { 'content-type': 'video/mp4' },
    })
  const wrong = [alice.token, await signFor('did:web:video.bsky.app', 'com.atproto.repo.uploadBlob'), await signFor(pds, 'app.x')]
  for (const token of wrong) expect((await upload(token)).status).toBe(401)
  const late = `${server}.getServiceAuth?aud=${pds}&lxm=app.x&exp=${Math.floor(Date.now() / 1000) + 3700}`
  expect(await simulator.request(late, { token: alice.token })).toMatchObject({ body: { error: 'BadExpiration' } })

  const token = await signFor(pds, 'com.atproto.repo.uploadBlob')
  const first = await upload(token)
  expect(first).toMatchObject({ status: 200, body: { state: 'JOB_STATE_CREATED' } })
  const readJob = () => simulator.request(`${video}.getJobStatus?jobId=${textAt(first.body, 'jobId')}`)
  expect(valueAt((await readJob()).body, 'jobStatus', 'blob')).toBeUndefined()
  await simulator.control('/clock', { advanceMs: 1000 })
  expect((await readJob()).body).toMatchObject({ jobStatus: { state: 'JOB_STATE_COMPLETED', blob: { size: 10 } } })
  expect(await upload(token)).toMatchObject({ status: 409, body: { error: 'already_exists' } })
})

test('the items of a gallery have a shape', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('bluesky')
  const headers = { 'content-type': 'image/png' }
  const uploaded = await simulator.request(`${repo}.uploadBlob`, { token: alice.token, body: new Uint8Array(9), headers })
  const item = { $type: 'app.bsky.embed.gallery#image', image: valueAt(uploaded.body, 'blob'), alt: '' }
  const send = async (one: object) =>
    simulator.request(`${repo}.putRecord`, put(alice, { text: '', embed: { $type: 'app.bsky.embed.gallery', items: [one] } }))
  expect((await send(item)).status).toBe(400)
  expect((await send({ ...item, aspectRatio: { width: 0, height: 1 } })).status).toBe(400)
  expect((await send({ ...item, aspectRatio: { width: 4, height: 3 } })).status).toBe(200)
})
