import { expect, test } from 'vitest'
import { serveFiles } from '../../test/serve-files.ts'
import { startTestSimulator, textAt } from '../../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'
const tweets = '/x/2/tweets'
const putRecord = '/bluesky/xrpc/com.atproto.repo.putRecord'
const rkey = '3jzfcijpj2z2a'

// The guarantee: a second call is on record even if the platform recognised it, refused it, or never received it.
test('every call to a publishing operation is recorded with what became of it', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const send = (status: string) =>
    simulator.request(statuses, { token, json: { status }, headers: { 'idempotency-key': 'key-1' } }).catch(() => undefined)
  const target = { platform: 'mastodon', operation: 'submit', times: 1 }
  await simulator.fault(target, { kind: 'drop_before' })
  await send('one')
  await simulator.fault(target, { kind: 'drop_after' })
  await send('one')
  await send('one')
  await simulator.request(statuses, { token, json: { status: '' } })
  await simulator.request(statuses, { token: 'unknown', json: { status: 'two' } })
  const [post] = (await simulator.posts()) as [{ id: string }]
  const common = {
    platform: 'mastodon',
    account: 'alice',
    operation: 'create_status',
    atMs: expect.any(Number),
    answeredAtMs: null,
    host: new URL(simulator.url).host,
    text: 'one',
    key: 'key-1',
    replyTo: null,
  }
  expect(await simulator.submits('?text=one')).toEqual({
    asked: 3,
    carriedOut: 1,
    submits: [
      { ...common, outcome: 'dropped_before', postId: null, fault: 'drop_before', faultStatus: null },
      { ...common, outcome: 'dropped_after', postId: post.id, fault: 'drop_after', faultStatus: null },
      { ...common, answeredAtMs: expect.any(Number), outcome: 'repeated', postId: null, fault: null, faultStatus: null },
    ],
  })
  expect(await simulator.submits('?outcome=refused')).toMatchObject({
    asked: 2,
    carriedOut: 0,
    submits: [
      { account: 'alice', text: '' },
      { account: null, text: 'two' },
    ],
  })
  expect(await simulator.submits('?platform=x')).toMatchObject({ asked: 0 })
  expect(await simulator.submits('?account=alice&prefix=o')).toMatchObject({ asked: 3 })
})

test('a caller that disconnects before the answer counts as one without an answer', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  for (const when of ['before', 'after']) {
    await simulator.fault({ operation: 'submit', times: 1 }, { kind: 'delay', ms: 150, when })
    const request = fetch(simulator.url + statuses, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: when }),
      signal: AbortSignal.timeout(60),
    })
    await expect(request).rejects.toThrow('timeout')
    await expect
      .poll(() => simulator.submits(`?text=${when}`))
      .toMatchObject({ submits: [{ outcome: 'dropped_after', fault: 'delay' }] })
  }
})

test('a fault that replaces the answer of a carried out call is recorded so', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  const send = async (fault: object) => {
    await simulator.fault({ platform: 'x', operation: 'submit', times: 1 }, fault)
    const text = JSON.stringify(fault)
    await simulator.request(tweets, { token, json: { text } })
    return textAt(await simulator.submits(`?text=${encodeURIComponent(text)}`), 'submits', 0, 'outcome')
  }
  expect(await send({ kind: 'status', status: 500, commit: true })).toBe('dropped_after')
  expect(await send({ kind: 'status', status: 500 })).toBe('dropped_before')
  expect(await send({ kind: 'garbage', commit: true })).toBe('dropped_after')
  expect(await send({ kind: 'expired_token' })).toBe('dropped_before')
  expect(await send({ kind: 'malformed' })).toBe('created')
})

test('the duplicate filter of X and record keys of Bluesky do not hide a second call', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  for (let n = 0; n < 2; n++) await simulator.request(tweets, { token, json: { text: 'same' } })
  expect(await simulator.submits('?platform=x')).toMatchObject({ submits: [{ outcome: 'created' }, { outcome: 'refused' }] })
  const bluesky = await simulator.openAccount('bluesky')
  const record = { $type: 'app.bsky.feed.post', createdAt: '2026-01-01T00:00:00.000Z', text: 'bells' }
  const json = { repo: bluesky.id, collection: 'app.bsky.feed.post', rkey, record }
  for (let n = 0; n < 2; n++) await simulator.request(putRecord, { token: bluesky.token, json })
  expect(await simulator.submits('?platform=bluesky')).toMatchObject({
    carriedOut: 1,
    submits: [
      { operation: 'put_record', key: rkey, text: 'bells', outcome: 'created' },
      { operation: 'put_record', key: rkey, outcome: 'repeated' },
    ],
  })
})

test('a container, a comment, a page post and a TikTok upload are recorded with their text', async () => {
  await using simulator = await startTestSimulator()
  const threads = await simulator.openAccount('threads')
  const staged = await simulator.request('/threads/v1.0/me/threads', {
    token: threads.token,
    form: { media_type: 'TEXT', text: 'thread' },
  })
  const key = textAt(staged.body, 'id')
  expect(await simulator.submits()).toMatchObject({ asked: 0 })
  await simulator.request('/threads/v1.0/me/threads_publish', { token: threads.token, form: { creation_id: key } })
  expect(await simulator.submits()).toMatchObject({ submits: [{ operation: 'publish_container', text: 'thread', key }] })

  const manager = await simulator.openAccount('linkedin', 'manager-bells')
  const headers = { 'linkedin-version': '202606', 'x-restli-protocol-version': '2.0.0' }
  const linkedin = (path: string, json?: unknown) =>
    simulator.request(`/linkedin/rest${path}`, { token: manager.token, headers, json })
  const page = textAt((await linkedin('/organizationAcls?q=roleAssignee')).body, 'elements', 0, 'organization')
  const fields = { visibility: 'PUBLIC', distribution: { feedDistribution: 'MAIN_FEED' }, lifecycleState: 'PUBLISHED' }
  const posted = await linkedin('/posts', { author: page, commentary: 'bells \\(two\\)', ...fields })
  const urn = posted.headers.get('x-restli-id') ?? ''
  const comment = { actor: page, object: urn, message: { text: 'first' } }
  await linkedin(`/socialActions/${encodeURIComponent(urn)}/comments`, comment)
  expect(await simulator.submits(`?account=${encodeURIComponent(page)}`)).toMatchObject({
    submits: [
      { operation: 'create_post', account: 'company-bells', text: 'bells (two)', postId: urn },
      { operation: 'comment', account: 'company-bells', text: 'first', replyTo: urn },
    ],
  })

  using media = await serveFiles({ '/bell.jpg': { mime: 'image/jpeg', bytes: 'picture' } })
  const tiktok = await simulator.openAccount('tiktok')
  await simulator.request('/tiktok/v2/post/publish/content/init/', {
    token: tiktok.token,
    json: {
      media_type: 'PHOTO',
      post_mode: 'DIRECT_POST',
      post_info: { description: 'photo', privacy_level: 'SELF_ONLY' },
      source_info: { source: 'PULL_FROM_URL', photo_images: [`${media.origin}/bell.jpg`], photo_cover_index: 0 },
    },
  })
  expect(await simulator.submits('?platform=tiktok')).toMatchObject({ submits: [{ text: 'photo', outcome: 'created' }] })
  await expect.poll(() => simulator.posts('?platform=tiktok')).toHaveLength(1)
  expect(textAt(await simulator.submits('?platform=tiktok'), 'submits', 0, 'postId')).not.toBe('')
  await simulator.request('/_control/posts', { method: 'DELETE' })
  expect(await simulator.submits()).toEqual({ asked: 0, carriedOut: 0, submits: [] })
})

test('only the last chunk of a TikTok video is a submit', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('tiktok')
  const size = 10_000_000
  const made = await simulator.request('/tiktok/v2/post/publish/video/init/', {
    token,
    json: {
      post_info: { title: 'film', privacy_level: 'SELF_ONLY' },
      source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: size / 2, total_chunk_count: 2 },
    },
  })
  const key = textAt(made.body, 'data', 'publish_id')
  const path = textAt(made.body, 'data', 'upload_url').slice(simulator.url.length)
  const film = new Uint8Array(size)
  film.set(Buffer.from('ftyp'), 4)
  for (const first of [0, size / 2]) {
    expect(await simulator.submits()).toMatchObject({ asked: 0 })
    await simulator.request(path, {
      method: 'PUT',
      body: film.slice(first, first + size / 2),
      headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${first}-${first + size / 2 - 1}/${size}` },
    })
  }
  expect(await simulator.submits()).toMatchObject({
    submits: [{ operation: 'upload_last_chunk', account: 'alice', text: 'film', key, outcome: 'created' }],
  })
})
