import { expect, test } from 'vitest'
import { serveFiles } from '../../../test/serve-files.ts'
import { valueAt, toList, startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

const me = '/threads/v1.0/me'

test('a container is created, published once, and read back', async () => {
  await using simulator = await startTestSimulator()
  const { token, id: user } = await simulator.openAccount('threads')
  expect((await simulator.request(`${me}?fields=id,username&access_token=${token}`)).body).toEqual({
    id: user,
    username: 'alice',
  })
  const creation_id = textAt(
    (await simulator.request(`/threads/v1.0/${user}/threads`, { token, form: { media_type: 'TEXT', text: 'hello' } })).body,
    'id',
  )
  const state = async () =>
    valueAt((await simulator.request(`/threads/v1.0/${creation_id}?fields=status,error_message`, { token })).body, 'status')
  expect(await state()).toBe('FINISHED')
  const publish = () => simulator.request(`/threads/v1.0/${user}/threads_publish`, { form: { creation_id, access_token: token } })
  const made = await publish()
  const id = textAt(made.body, 'id')
  expect(await state()).toBe('PUBLISHED')
  expect(await publish()).toMatchObject({
    status: 400,
    body: { error: { code: 24, error_subcode: 4279009, type: 'OAuthException' } },
  })
  expect(await simulator.posts()).toHaveLength(1)

  const seen = await simulator.request(`/threads/v1.0/${id}?fields=id,permalink,shortcode,timestamp,text,media_type`, { token })
  expect(seen.body).toMatchObject({ id, text: 'hello', media_type: 'TEXT_POST' })
  expect((await fetch(textAt(seen.body, 'permalink'))).status).toBe(200)
  expect(toList(valueAt((await simulator.request(`${me}/threads?fields=id,text`, { token })).body, 'data'))).toEqual([
    { id, text: 'hello' },
  ])
  expect(
    valueAt((await simulator.request(`${me}/threads_publishing_limit?fields=quota_usage,config`, { token })).body, 'data', 0),
  ).toEqual({
    quota_usage: 1,
    config: { quota_total: 250, quota_duration: 86_400 },
  })
  expect(
    valueAt((await simulator.request(`/threads/v1.0/${id}/insights?metric=views,replies`, { token })).body, 'data', 1, 'name'),
  ).toBe('replies')
  const { body: account } = await simulator.request('/threads/v1.0/me/threads_insights?metric=followers_count', { token })
  expect(account).toMatchObject({ data: [{ name: 'followers_count', total_value: { value: expect.any(Number) } }] })
  expect((await simulator.request(`/threads/v1.0/${id}`, { token, method: 'DELETE' })).body).toMatchObject({ success: true })
  expect(await simulator.request(`/threads/v1.0/${id}?fields=id`, { token })).toMatchObject({
    status: 400,
    body: { error: { code: 100, error_subcode: 33 } },
  })
})

test.each([
  ['plain', 'a'.repeat(500), 200],
  ['one character too many', 'a'.repeat(501), 400],
  ['an emoji counts its bytes', '👍'.repeat(125), 200],
  ['emoji and one character too many', '👍'.repeat(125) + 'a', 400],
  ['other letters count their bytes', 'é漢'.repeat(100), 200],
  ['other letters and one character too many', 'é漢'.repeat(100) + 'a', 400],
  [
    'five links',
    'https://a.example/1 https://a.example/2 https://a.example/3 https://a.example/4 https://a.example/5 https://a.example/5',
    200,
  ],
  [
    'six links',
    'https://a.example/1 https://a.example/2 https://a.example/3 https://a.example/4 https://a.example/5 https://a.example/6',
    400,
  ],
])('the text of a container: %s', async (_, content, status) => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('threads')
  const answer = await simulator.request(`${me}/threads`, { token, json: { media_type: 'TEXT', text: content } })
  expect(answer.status).toBe(status)
  expect(valueAt(answer.body, 'error', 'code')).toBe(status === 400 ? 100 : undefined)
})

test('a container expires after a day, and quotas count at publish', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('threads')
  const stage = async (content: string) =>
    textAt((await simulator.request(`${me}/threads`, { token, form: { media_type: 'TEXT', text: content } })).body, 'id')
  const publish = (creation_id: string) => simulator.request(`${me}/threads_publish`, { token, form: { creation_id } })
  const old = await stage('old')
  await simulator.control('/clock', { advanceMs: 86_400_000 })
  expect((await simulator.request(`/threads/v1.0/${old}?fields=status`, { token })).body).toMatchObject({ status: 'EXPIRED' })
  expect((await publish(old)).status).toBe(400)
  await simulator.control('/settings', { platform: 'threads', limits: { posts: { max: 1 } } })
  const [one, two] = [await stage('one'), await stage('two')]
  expect((await publish(one)).status).toBe(200)
  expect(await publish(two)).toMatchObject({ status: 400, body: { error: { code: 613 } } })
})

test('an unknown token gets error 190, a long-lived one can be refreshed after a day', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('threads')
  expect(await simulator.request(`${me}?access_token=unknown`)).toMatchObject({ status: 400, body: { error: { code: 190 } } })
  const refresh = (old: string) =>
    simulator.request(`/threads/refresh_access_token?grant_type=th_refresh_token&access_token=${old}`)
  const next = await refresh(token)
  expect(next.body).toMatchObject({ token_type: 'bearer', expires_in: 5_184_000 })
  expect((await refresh(textAt(next.body, 'access_token'))).status).toBe(400)
  await simulator.control('/tokens/expire', { platform: 'threads', handle: 'alice' })
  expect(await refresh(token)).toMatchObject({ body: { error: { code: 190, error_subcode: 463 } } })
})

test('sign-in returns a short-lived token that is exchanged for a long-lived one', async () => {
  await using simulator = await startTestSimulator()
  const query =
    'response_type=code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fback&scope=threads_basic&state=s&auto=1&handle=dora'
  const back = new URL((await simulator.request(`/threads/oauth/authorize?${query}`)).headers.get('location') ?? '')
  const form = {
    client_id: 'app',
    client_secret: 'secret',
    grant_type: 'authorization_code',
    redirect_uri: 'http://127.0.0.1:9/back',
    code: back.searchParams.get('code') ?? '',
  }
  const short = textAt((await simulator.request('/threads/oauth/access_token', { form })).body, 'access_token')
  const long = await simulator.request(
    `/threads/access_token?grant_type=th_exchange_token&client_secret=secret&access_token=${short}`,
  )
  const token = textAt(long.body, 'access_token')
  expect((await simulator.request(`${me}?fields=username`, { token })).body).toMatchObject({ username: 'dora' })
  expect(await simulator.request(`${me}/threads`, { token, form: { media_type: 'TEXT', text: 'x' } })).toMatchObject({
    status: 403,
    body: { error: { code: 10 } },
  })
})

test('media is fetched from its URL after the container is created', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('threads')
  using media = await serveFiles({ '/bell.png': { mime: 'image/png', bytes: 'png' } })
  const stage = async (file: string, item: boolean) =>
    textAt(
      (
        await simulator.request(`${me}/threads`, {
          token,
          json: { media_type: 'IMAGE', image_url: `${media.origin}/${file}`, alt_text: 'a bell', is_carousel_item: item },
        })
      ).body,
      'id',
    )
  const read = (id: string) => simulator.request(`/threads/v1.0/${id}?fields=status,error_message`, { token })
  const settled = async (id: string) => {
    await expect.poll(async () => valueAt((await read(id)).body, 'status')).not.toBe('IN_PROGRESS')
    return (await read(id)).body
  }
  expect(await settled(await stage('gone.png', false))).toMatchObject({
    status: 'ERROR',
    error_message: expect.stringContaining('could not be fetched'),
  })
  const children = [await stage('bell.png', true), await stage('bell.png', true)]
  const form = { media_type: 'CAROUSEL', children: children.join(','), text: 'two bells' }
  // Its items must be ready first.
  expect(await simulator.request(`${me}/threads`, { token, form })).toMatchObject({
    status: 400,
    body: { error: { error_subcode: 4279004 } },
  })
  for (const child of children) expect(await settled(child)).toMatchObject({ status: 'FINISHED' })
  const carousel = await simulator.request(`${me}/threads`, { token, form })
  expect(await settled(textAt(carousel.body, 'id'))).toMatchObject({ status: 'FINISHED' })
  const published = await simulator.request(`${me}/threads_publish`, {
    token,
    form: { creation_id: textAt(carousel.body, 'id') },
  })
  expect(published).toMatchObject({ status: 200 })
  expect(await simulator.posts()).toMatchObject([{ text: 'two bells', media: [{ alt: 'a bell' }, { alt: 'a bell' }] }])
})
