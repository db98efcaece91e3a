import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { valueAt, toList, startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'

test('a status is published, read, listed and deleted', async () => {
  await using simulator = await startTestSimulator()
  const { token, id: accountId } = await simulator.openAccount('mastodon')
  const me = await simulator.request('/mastodon/api/v1/accounts/verify_credentials', { token })
  expect(me.body).toMatchObject({ id: accountId, acct: 'alice' })

  const made = await simulator.request(statuses, { token, json: { status: 'hello <b>', visibility: 'unlisted' } })
  const id = textAt(made.body, 'id')
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({
    visibility: 'unlisted',
    content: '<p>hello &lt;b&gt;</p>',
    url: `${simulator.url}/mastodon/@alice/${id}`,
  })
  expect(made.headers.get('x-ratelimit-limit')).toBe('300')
  const reply = await simulator.request(statuses, { token, form: { status: 'and more', in_reply_to_id: id } })
  expect(reply.body).toMatchObject({ in_reply_to_id: id, in_reply_to_account_id: accountId })
  expect((await simulator.request(`${statuses}/${id}`, { token })).body).toMatchObject({ replies_count: 1 })

  const listed = await simulator.request(`/mastodon/api/v1/accounts/${accountId}/statuses?since_id=${id}`, { token })
  expect(toList(listed.body).map((one) => valueAt(one, 'id'))).toEqual([valueAt(reply.body, 'id')])
  expect((await simulator.request(`${statuses}/${id}`, { token, method: 'DELETE' })).body).toMatchObject({ text: 'hello <b>' })
  expect((await simulator.request(`${statuses}/${id}`, { token })).status).toBe(404)
})

test.each([
  ['plain text', 'a'.repeat(500), ''],
  ['family emoji, one grapheme each', '👨‍👩‍👧'.repeat(500), ''],
  ['a link of any length counts 23', `${'a'.repeat(476)} https://example.com/${'long'.repeat(50)}`, ''],
  ['a remote mention counts without its host', `${'a'.repeat(494)} @user@a.very.long.example.social`, ''],
  ['a warning counts too', 'a'.repeat(400), 'b'.repeat(100)],
])('500 characters fit and one more does not: %s', async (_, status, spoiler) => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  expect((await simulator.request(statuses, { token, json: { status, spoiler_text: spoiler } })).status).toBe(200)
  const over = await simulator.request(statuses, {
    token,
    json: { status: `${status}a`.replace(/^(a*)(.*)a$/su, 'a$1$2'), spoiler_text: spoiler },
  })
  expect(over.status).toBe(422)
  expect(over.body).toEqual({ error: 'Validation failed: Text character limit of 500 exceeded' })
})

test('one Idempotency-Key creates one status per account and hour', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('mastodon')
  const bob = await simulator.openAccount('mastodon', 'bob')
  const send = (token: string) =>
    simulator.request(statuses, { token, json: { status: 'once' }, headers: { 'idempotency-key': 'k1' } })
  const first = await send(alice.token)
  expect(valueAt((await send(alice.token)).body, 'id')).toBe(valueAt(first.body, 'id'))
  expect(valueAt((await send(bob.token)).body, 'id')).not.toBe(valueAt(first.body, 'id'))
  await simulator.control('/clock', { advanceMs: 3_600_001 })
  expect(valueAt((await send(alice.token)).body, 'id')).not.toBe(valueAt(first.body, 'id'))
  expect(await simulator.posts()).toHaveLength(3)
})

test('errors are the documented ones', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  expect(await simulator.request(statuses, { token: 'unknown', json: { status: 'x' } })).toMatchObject({
    status: 401,
    body: { error: 'The access token is invalid' },
  })
  expect(await simulator.request(statuses, { token, json: { status: ' ' } })).toMatchObject({
    status: 422,
    body: { error: "Validation failed: Text can't be blank" },
  })
  expect((await simulator.request(statuses, { token, json: { status: 'x', visibility: 'secret' } })).status).toBe(422)
  expect((await simulator.request(statuses, { token, json: { status: 'x', in_reply_to_id: '1' } })).status).toBe(404)
  await simulator.control('/settings', { platform: 'mastodon', limits: { statuses: { max: 3 } } })
  const last = await simulator.request(statuses, { token, json: { status: 'one too many' } })
  expect(last).toMatchObject({ status: 429, body: { error: 'Too many requests' } })
  expect(Date.parse(last.headers.get('x-ratelimit-reset') ?? '')).toBeGreaterThan(Date.now())
})

test('sign-in checks the verifier and the scope', async () => {
  await using simulator = await startTestSimulator()
  const redirect = 'http://127.0.0.1:9/callback'
  const app = await simulator.request('/mastodon/api/v1/apps', {
    json: { client_name: 'Carillon', redirect_uris: [redirect], scopes: 'read:accounts' },
  })
  const client = {
    client_id: textAt(app.body, 'client_id'),
    client_secret: textAt(app.body, 'client_secret'),
    redirect_uri: redirect,
  }
  const challenge = createHash('sha256').update('verifier').digest('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect,
    scope: 'read:accounts',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })

  expect((await simulator.request(`/mastodon/oauth/authorize?${query}`)).text).toContain('Authorize</button>')
  const codeOf = async () => {
    const { headers } = await simulator.request(`/mastodon/oauth/authorize?${query}&auto=1&handle=carol`)
    const back = new URL(headers.get('location') ?? '')
    expect(back.searchParams.get('state')).toBe('s')
    return back.searchParams.get('code') ?? ''
  }
  const exchange = (code: string, verifier: string) =>
    simulator.request('/mastodon/oauth/token', {
      form: { grant_type: 'authorization_code', ...client, code, code_verifier: verifier },
    })
  expect(await exchange(await codeOf(), 'wrong')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const code = await codeOf()
  const token = textAt((await exchange(code, 'verifier')).body, 'access_token')
  expect((await exchange(code, 'verifier')).status).toBe(400)
  expect((await simulator.request('/mastodon/api/v1/accounts/verify_credentials', { token })).body).toMatchObject({
    acct: 'carol',
  })
  expect(await simulator.request(statuses, { token, json: { status: 'x' } })).toMatchObject({
    status: 403,
    body: { error: 'This action is outside the authorized scopes' },
  })
  await simulator.request('/mastodon/oauth/revoke', { form: { ...client, token } })
  expect((await simulator.request('/mastodon/api/v1/accounts/verify_credentials', { token })).status).toBe(401)
})

test('media is uploaded once and attached once', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const upload = (type: string) => {
    const form = new FormData()
    form.set('file', new Blob(['bytes'], { type }), 'file')
    form.set('description', 'a bell')
    return simulator.request('/mastodon/api/v2/media', { token, body: form })
  }
  const image = await upload('image/png')
  expect(image).toMatchObject({ status: 200, body: { type: 'image', description: 'a bell' } })
  const media_ids = [valueAt(image.body, 'id')]
  expect((await simulator.request(statuses, { token, json: { status: '', media_ids } })).body).toMatchObject({
    media_attachments: [{ description: 'a bell' }],
  })
  const again = await simulator.request(statuses, { token, json: { status: 'again', media_ids } })
  expect(again.status).toBe(422)
  expect(textAt(again.body, 'error')).toContain('already attached')
  expect(await (await fetch(textAt(image.body, 'url'))).text()).toBe('bytes')

  const video = await upload('video/mp4')
  expect(video.status).toBe(202)
  const early = await simulator.request(statuses, { token, json: { status: 'early', media_ids: [valueAt(video.body, 'id')] } })
  expect(textAt(early.body, 'error')).toContain('have not finished processing')
  expect((await simulator.request(`/mastodon/api/v1/media/${textAt(video.body, 'id')}`, { token })).status).toBe(206)
  await simulator.control('/clock', { advanceMs: 1000 })
  expect((await simulator.request(`/mastodon/api/v1/media/${textAt(video.body, 'id')}`, { token })).status).toBe(200)
})
