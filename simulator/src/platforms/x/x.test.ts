import { expect, test } from 'vitest'
import { valueAt, toList, startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

const tweets = '/x/2/tweets'

test('a post is published, listed with rewritten links, measured and deleted', async () => {
  await using simulator = await startTestSimulator()
  const { token, id: user } = await simulator.openAccount('x')
  expect((await simulator.request('/x/2/users/me', { token })).body).toMatchObject({ data: { id: user, username: 'alice' } })
  const first = await simulator.request(tweets, { token, json: { text: 'first' } })
  const since = textAt(first.body, 'data', 'id')
  expect(first.status).toBe(201)
  expect(first.headers.get('x-rate-limit-remaining')).toBe('99')
  const second = await simulator.request(tweets, {
    token,
    json: { text: 'see https://example.com/a?b=1&c=2 & <more>', reply: { in_reply_to_tweet_id: since } },
  })
  const id = textAt(second.body, 'data', 'id')

  const listed = await simulator.request(`/x/2/users/${user}/tweets?since_id=${since}&tweet.fields=created_at`, { token })
  expect(toList(valueAt(listed.body, 'data'))).toHaveLength(1)
  expect(textAt(listed.body, 'data', 0, 'text')).toMatch(/^see https:\/\/t\.co\/\w{10} &amp; &lt;more&gt;$/)
  expect(valueAt(listed.body, 'data', 0, 'created_at')).toBeDefined()
  const shown = await simulator.request(`${tweets}/${id}?tweet.fields=entities`, { token })
  const [short] = /https:\S+/.exec(textAt(shown.body, 'data', 'text')) ?? []
  expect(valueAt(shown.body, 'data', 'entities')).toMatchObject({
    urls: [{ url: short, expanded_url: 'https://example.com/a?b=1&c=2' }],
  })
  const all = await simulator.request(`/x/2/users/${user}/tweets`, { token })
  expect(toList(valueAt(all.body, 'data')).map((one) => valueAt(one, 'id'))).toEqual([id, since])
  const measured = await simulator.request(`${tweets}?ids=${since},1&tweet.fields=public_metrics`, { token })
  expect(measured.body).toMatchObject({ data: [{ public_metrics: { reply_count: 1 } }], errors: [{ resource_id: '1' }] })
  expect((await simulator.request(`${tweets}/${id}`, { token, method: 'DELETE' })).body).toEqual({ data: { deleted: true } })
  expect((await simulator.request(`${tweets}/${id}`, { token, method: 'DELETE' })).status).toBe(404)
})

test.each([
  ['plain', 'a'.repeat(280), true],
  ['one character too many', 'a'.repeat(281), false],
  ['wide letters weigh two', '漢'.repeat(140), true],
  ['wide letters and one character too many', '漢'.repeat(140) + 'a', false],
  ['any emoji weighs two', '👨‍👩‍👧'.repeat(140), true],
  ['a link weighs 23', `${'a'.repeat(256)} https://example.com/${'long/'.repeat(40)}`, true],
  ['a link and one character too many', `${'a'.repeat(257)} https://example.com/${'long/'.repeat(40)}`, false],
  ['a bare domain is a link', `${'a'.repeat(256)} example.com/${'long/'.repeat(40)}`, true],
  ['accents are composed first', 'e\u0301'.repeat(280), true],
])('a text may weigh 280: %s', async (_, content, fits) => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  const answer = await simulator.request(tweets, { token, json: { text: content } })
  expect(answer.status).toBe(fits ? 201 : 403)
  expect(valueAt(answer.body, 'title')).toBe(fits ? undefined : 'Forbidden')
})

test('identical recent text of the same account is refused', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('x')
  const bob = await simulator.openAccount('x', 'bob')
  const send = (token: string) => simulator.request(tweets, { token, json: { text: 'same' } })
  const first = await send(alice.token)
  const again = await send(alice.token)
  expect(again).toMatchObject({ status: 403, body: { detail: 'You are not allowed to create a Tweet with duplicate content.' } })
  expect((await send(bob.token)).status).toBe(201)
  await simulator.request(`${tweets}/${textAt(first.body, 'data', 'id')}`, { token: alice.token, method: 'DELETE' })
  expect((await send(alice.token)).status).toBe(201)
})

test('refusals are RFC 7807 problems', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  const bob = await simulator.openAccount('x', 'bob')
  expect(await simulator.request(tweets, { token: 'unknown', json: { text: 'x' } })).toMatchObject({
    status: 401,
    body: { title: 'Unauthorized', status: 401 },
  })
  expect(await simulator.request(tweets, { token, json: { text: 'x', unknown: 1 } })).toMatchObject({
    status: 400,
    body: { title: 'Invalid Request' },
  })
  expect((await simulator.request(tweets, { token, json: {} })).status).toBe(400)
  expect((await simulator.request(tweets, { token, json: { text: '$AAA $BBB' } })).status).toBe(403)
  const theirs = await simulator.request(tweets, { token: bob.token, json: { text: 'mine' } })
  expect(
    (
      await simulator.request(tweets, {
        token,
        json: { text: 'x', reply: { in_reply_to_tweet_id: valueAt(theirs.body, 'data', 'id') } },
      })
    ).status,
  ).toBe(403)
  await simulator.control('/settings', { platform: 'x', limits: { posts: { max: 1, windowSeconds: 60 } } })
  const over = await simulator.request(tweets, { token, json: { text: 'over' } })
  expect(over).toMatchObject({ status: 429, body: { status: 429 } })
  expect(Number(over.headers.get('x-rate-limit-reset'))).toBeGreaterThan(Date.now() / 1000)
})

test('refresh tokens rotate and can be used once', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('x')
  await simulator.control('/tokens/expire', { platform: 'x', handle: 'alice' })
  expect((await simulator.request('/x/2/users/me', { token: alice.token })).status).toBe(401)
  const refresh = (refresh_token: string) =>
    simulator.request('/x/2/oauth2/token', { form: { grant_type: 'refresh_token', refresh_token, client_id: 'app' } })
  const next = await refresh(alice.refresh)
  expect(next.body).toMatchObject({ token_type: 'bearer', expires_in: 7200 })
  expect((await simulator.request('/x/2/users/me', { token: textAt(next.body, 'access_token') })).status).toBe(200)
  expect(await refresh(alice.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(
    (await simulator.request('/x/2/oauth2/revoke', { form: { token: textAt(next.body, 'refresh_token'), client_id: 'app' } }))
      .status,
  ).toBe(200)
  expect((await refresh(textAt(next.body, 'refresh_token'))).status).toBe(400)
})

test('photos and video are uploaded, described and attached', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  const form = new FormData()
  form.set('media', new Blob(['png'], { type: 'image/png' }), 'bell.png')
  form.set('media_category', 'tweet_image')
  const id = textAt((await simulator.request('/x/2/media/upload', { token, body: form })).body, 'data', 'id')
  await simulator.request('/x/2/media/metadata', { token, json: { id, metadata: { alt_text: { text: 'a bell' } } } })
  const made = await simulator.request(tweets, { token, json: { text: 'photo', media: { media_ids: [id] } } })
  expect(textAt(made.body, 'data', 'text')).toMatch(/^photo https:\/\/t\.co\/\w{10}$/)
  expect(await simulator.posts()).toMatchObject([{ text: 'photo', media: [{ alt: 'a bell' }] }])

  const start = await simulator.request('/x/2/media/upload/initialize', {
    token,
    json: { media_type: 'video/mp4', total_bytes: 4, media_category: 'tweet_video' },
  })
  const video = textAt(start.body, 'data', 'id')
  for (const index of [1, 0]) {
    const part = new FormData()
    part.set('media', new Blob(['ab'], { type: 'video/mp4' }), 'part')
    part.set('segment_index', String(index))
    expect((await simulator.request(`/x/2/media/upload/${video}/append`, { token, body: part })).status).toBe(204)
  }
  const done = await simulator.request(`/x/2/media/upload/${video}/finalize`, { token, method: 'POST' })
  expect(valueAt(done.body, 'data', 'processing_info', 'state')).toBe('in_progress')
  expect((await simulator.request(tweets, { token, json: { text: 'early', media: { media_ids: [video] } } })).status).toBe(400)
  await simulator.control('/clock', { advanceMs: 1000 })
  const state = await simulator.request(`/x/2/media/upload?command=STATUS&media_id=${video}`, { token })
  expect(valueAt(state.body, 'data', 'processing_info', 'state')).toBe('succeeded')
  expect((await simulator.request(tweets, { token, json: { text: 'film', media: { media_ids: [video] } } })).status).toBe(201)
})
