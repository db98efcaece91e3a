import { expect, test } from 'vitest'
import { at, list, openTestWorld, text } from '../../../test/start-test-simulator.ts'

const tweets = '/x/2/tweets'

test('a post is published, listed with rewritten links, measured and deleted', async () => {
  await using world = await openTestWorld()
  const { token, id: user } = await world.join('x')
  expect((await world.ask('/x/2/users/me', { token })).body).toMatchObject({ data: { id: user, username: 'alice' } })
  const first = await world.ask(tweets, { token, json: { text: 'first' } })
  const since = text(first.body, 'data', 'id')
  expect(first.status).toBe(201)
  expect(first.headers.get('x-rate-limit-remaining')).toBe('99')
  const second = await world.ask(tweets, {
    token,
    json: { text: 'see https://example.com/a?b=1&c=2 & <more>', reply: { in_reply_to_tweet_id: since } },
  })
  const id = text(second.body, 'data', 'id')

  const listed = await world.ask(`/x/2/users/${user}/tweets?since_id=${since}&tweet.fields=created_at`, { token })
  expect(list(at(listed.body, 'data'))).toHaveLength(1)
  expect(text(listed.body, 'data', 0, 'text')).toMatch(/^see https:\/\/t\.co\/\w{10} &amp; &lt;more&gt;$/)
  expect(at(listed.body, 'data', 0, 'created_at')).toBeDefined()
  const all = await world.ask(`/x/2/users/${user}/tweets`, { token })
  expect(list(at(all.body, 'data')).map((one) => at(one, 'id'))).toEqual([id, since])
  const measured = await world.ask(`${tweets}?ids=${since},1&tweet.fields=public_metrics`, { token })
  expect(measured.body).toMatchObject({ data: [{ public_metrics: { reply_count: 1 } }], errors: [{ resource_id: '1' }] })
  expect((await world.ask(`${tweets}/${id}`, { token, method: 'DELETE' })).body).toEqual({ data: { deleted: true } })
  expect((await world.ask(`${tweets}/${id}`, { token, method: 'DELETE' })).status).toBe(404)
})

test.each([
  ['plain', 'a'.repeat(280), true],
  ['one more', 'a'.repeat(281), false],
  ['wide letters weigh two', '漢'.repeat(140), true],
  ['wide letters and one more', '漢'.repeat(140) + 'a', false],
  ['any emoji weighs two', '👨‍👩‍👧'.repeat(140), true],
  ['a link weighs 23', `${'a'.repeat(256)} https://example.com/${'long/'.repeat(40)}`, true],
  ['a link and one more', `${'a'.repeat(257)} https://example.com/${'long/'.repeat(40)}`, false],
  ['a bare domain is a link', `${'a'.repeat(256)} example.com/${'long/'.repeat(40)}`, true],
  ['accents are composed first', 'e\u0301'.repeat(280), true],
])('280 weighted: %s', async (_, words, fits) => {
  await using world = await openTestWorld()
  const { token } = await world.join('x')
  const answer = await world.ask(tweets, { token, json: { text: words } })
  expect(answer.status).toBe(fits ? 201 : 403)
  expect(at(answer.body, 'title')).toBe(fits ? undefined : 'Forbidden')
})

test('identical recent text of the same account is refused', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('x')
  const bob = await world.join('x', 'bob')
  const send = (token: string) => world.ask(tweets, { token, json: { text: 'same' } })
  const first = await send(alice.token)
  const again = await send(alice.token)
  expect(again).toMatchObject({ status: 403, body: { detail: 'You are not allowed to create a Tweet with duplicate content.' } })
  expect((await send(bob.token)).status).toBe(201)
  await world.ask(`${tweets}/${text(first.body, 'data', 'id')}`, { token: alice.token, method: 'DELETE' })
  expect((await send(alice.token)).status).toBe(201)
})

test('refusals are RFC 7807 problems', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('x')
  const bob = await world.join('x', 'bob')
  expect(await world.ask(tweets, { token: 'nobody', json: { text: 'x' } })).toMatchObject({
    status: 401,
    body: { title: 'Unauthorized', status: 401 },
  })
  expect(await world.ask(tweets, { token, json: { text: 'x', unknown: 1 } })).toMatchObject({
    status: 400,
    body: { title: 'Invalid Request' },
  })
  expect((await world.ask(tweets, { token, json: {} })).status).toBe(400)
  expect((await world.ask(tweets, { token, json: { text: '$AAA $BBB' } })).status).toBe(403)
  const theirs = await world.ask(tweets, { token: bob.token, json: { text: 'mine' } })
  expect(
    (await world.ask(tweets, { token, json: { text: 'x', reply: { in_reply_to_tweet_id: at(theirs.body, 'data', 'id') } } }))
      .status,
  ).toBe(403)
  await world.control('/settings', { platform: 'x', limits: { posts: { max: 1, windowSeconds: 60 } } })
  const over = await world.ask(tweets, { token, json: { text: 'over' } })
  expect(over).toMatchObject({ status: 429, body: { status: 429 } })
  expect(Number(over.headers.get('x-rate-limit-reset'))).toBeGreaterThan(Date.now() / 1000)
})

test('refresh tokens rotate and work once', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('x')
  await world.control('/tokens/expire', { platform: 'x', handle: 'alice' })
  expect((await world.ask('/x/2/users/me', { token: alice.token })).status).toBe(401)
  const refresh = (refresh_token: string) =>
    world.ask('/x/2/oauth2/token', { form: { grant_type: 'refresh_token', refresh_token, client_id: 'app' } })
  const next = await refresh(alice.refresh)
  expect(next.body).toMatchObject({ token_type: 'bearer', expires_in: 7200 })
  expect((await world.ask('/x/2/users/me', { token: text(next.body, 'access_token') })).status).toBe(200)
  expect(await refresh(alice.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(
    (await world.ask('/x/2/oauth2/revoke', { form: { token: text(next.body, 'refresh_token'), client_id: 'app' } })).status,
  ).toBe(200)
  expect((await refresh(text(next.body, 'refresh_token'))).status).toBe(400)
})

test('photos and video are uploaded, described and attached', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('x')
  const form = new FormData()
  form.set('media', new Blob(['png'], { type: 'image/png' }), 'bell.png')
  form.set('media_category', 'tweet_image')
  const id = text((await world.ask('/x/2/media/upload', { token, body: form })).body, 'data', 'id')
  await world.ask('/x/2/media/metadata', { token, json: { id, metadata: { alt_text: { text: 'a bell' } } } })
  const made = await world.ask(tweets, { token, json: { text: 'photo', media: { media_ids: [id] } } })
  expect(text(made.body, 'data', 'text')).toMatch(/^photo https:\/\/t\.co\/\w{10}$/)
  expect(await world.posts()).toMatchObject([{ text: 'photo', media: [{ alt: 'a bell' }] }])

  const start = await world.ask('/x/2/media/upload/initialize', {
    token,
    json: { media_type: 'video/mp4', total_bytes: 4, media_category: 'tweet_video' },
  })
  const video = text(start.body, 'data', 'id')
  for (const index of [1, 0]) {
    const part = new FormData()
    part.set('media', new Blob(['ab'], { type: 'video/mp4' }), 'part')
    part.set('segment_index', String(index))
    expect((await world.ask(`/x/2/media/upload/${video}/append`, { token, body: part })).status).toBe(200)
  }
  const done = await world.ask(`/x/2/media/upload/${video}/finalize`, { token, method: 'POST' })
  expect(at(done.body, 'data', 'processing_info', 'state')).toBe('in_progress')
  expect((await world.ask(tweets, { token, json: { text: 'early', media: { media_ids: [video] } } })).status).toBe(400)
  await world.control('/clock', { advanceMs: 1000 })
  const state = await world.ask(`/x/2/media/upload?command=STATUS&media_id=${video}`, { token })
  expect(at(state.body, 'data', 'processing_info', 'state')).toBe('succeeded')
  expect((await world.ask(tweets, { token, json: { text: 'film', media: { media_ids: [video] } } })).status).toBe(201)
})
