import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { at, list, openTestWorld, text } from '../../../test/start-test-simulator.ts'

const statuses = '/mastodon/api/v1/statuses'

test('a status is published, read, listed and deleted', async () => {
  await using world = await openTestWorld()
  const { token, id: accountId } = await world.join('mastodon')
  const me = await world.ask('/mastodon/api/v1/accounts/verify_credentials', { token })
  expect(me.body).toMatchObject({ id: accountId, acct: 'alice' })

  const made = await world.ask(statuses, { token, json: { status: 'hello <b>', visibility: 'unlisted' } })
  const id = text(made.body, 'id')
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({
    visibility: 'unlisted',
    content: '<p>hello &lt;b&gt;</p>',
    url: `${world.url}/mastodon/@alice/${id}`,
  })
  expect(made.headers.get('x-ratelimit-limit')).toBe('300')
  const reply = await world.ask(statuses, { token, form: { status: 'and more', in_reply_to_id: id } })
  expect(reply.body).toMatchObject({ in_reply_to_id: id, in_reply_to_account_id: accountId })
  expect((await world.ask(`${statuses}/${id}`, { token })).body).toMatchObject({ replies_count: 1 })

  const listed = await world.ask(`/mastodon/api/v1/accounts/${accountId}/statuses?since_id=${id}`, { token })
  expect(list(listed.body).map((one) => at(one, 'id'))).toEqual([at(reply.body, 'id')])
  expect((await world.ask(`${statuses}/${id}`, { token, method: 'DELETE' })).body).toMatchObject({ text: 'hello <b>' })
  expect((await world.ask(`${statuses}/${id}`, { token })).status).toBe(404)
})

test.each([
  ['plain text', 'a'.repeat(500), ''],
  ['family emoji, one grapheme each', '👨‍👩‍👧'.repeat(500), ''],
  ['a link of any length counts 23', `${'a'.repeat(476)} https://example.com/${'long'.repeat(50)}`, ''],
  ['a remote mention counts without its host', `${'a'.repeat(494)} @user@a.very.long.example.social`, ''],
  ['a warning counts too', 'a'.repeat(400), 'b'.repeat(100)],
])('500 characters fit and one more does not: %s', async (_, status, spoiler) => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  expect((await world.ask(statuses, { token, json: { status, spoiler_text: spoiler } })).status).toBe(200)
  const over = await world.ask(statuses, {
    token,
    json: { status: `${status}a`.replace(/^(a*)(.*)a$/su, 'a$1$2'), spoiler_text: spoiler },
  })
  expect(over.status).toBe(422)
  expect(over.body).toEqual({ error: 'Validation failed: Text character limit of 500 exceeded' })
})

test('one Idempotency-Key makes one status per account and hour', async () => {
  await using world = await openTestWorld()
  const alice = await world.join('mastodon')
  const bob = await world.join('mastodon', 'bob')
  const send = (token: string) => world.ask(statuses, { token, json: { status: 'once' }, headers: { 'idempotency-key': 'k1' } })
  const first = await send(alice.token)
  expect(at((await send(alice.token)).body, 'id')).toBe(at(first.body, 'id'))
  expect(at((await send(bob.token)).body, 'id')).not.toBe(at(first.body, 'id'))
  await world.control('/clock', { advanceMs: 3_600_001 })
  expect(at((await send(alice.token)).body, 'id')).not.toBe(at(first.body, 'id'))
  expect(await world.posts()).toHaveLength(3)
})

test('refusals are the documented ones', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  expect(await world.ask(statuses, { token: 'nobody', json: { status: 'x' } })).toMatchObject({
    status: 401,
    body: { error: 'The access token is invalid' },
  })
  expect(await world.ask(statuses, { token, json: { status: ' ' } })).toMatchObject({
    status: 422,
    body: { error: "Validation failed: Text can't be blank" },
  })
  expect((await world.ask(statuses, { token, json: { status: 'x', visibility: 'secret' } })).status).toBe(422)
  expect((await world.ask(statuses, { token, json: { status: 'x', in_reply_to_id: '1' } })).status).toBe(404)
  await world.control('/settings', { platform: 'mastodon', limits: { statuses: { max: 3 } } })
  const last = await world.ask(statuses, { token, json: { status: 'one too many' } })
  expect(last).toMatchObject({ status: 429, body: { error: 'Too many requests' } })
  expect(Date.parse(last.headers.get('x-ratelimit-reset') ?? '')).toBeGreaterThan(Date.now())
})

test('sign-in checks the verifier and the scope', async () => {
  await using world = await openTestWorld()
  const redirect = 'http://127.0.0.1:9/callback'
  const app = await world.ask('/mastodon/api/v1/apps', {
    json: { client_name: 'Carillon', redirect_uris: [redirect], scopes: 'read:accounts' },
  })
  const client = {
    client_id: text(app.body, 'client_id'),
    client_secret: text(app.body, 'client_secret'),
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

  expect((await world.ask(`/mastodon/oauth/authorize?${query}`)).text).toContain('Authorize</button>')
  const codeOf = async () => {
    const { headers } = await world.ask(`/mastodon/oauth/authorize?${query}&auto=1&handle=carol`)
    const back = new URL(headers.get('location') ?? '')
    expect(back.searchParams.get('state')).toBe('s')
    return back.searchParams.get('code') ?? ''
  }
  const exchange = (code: string, verifier: string) =>
    world.ask('/mastodon/oauth/token', { form: { grant_type: 'authorization_code', ...client, code, code_verifier: verifier } })
  expect(await exchange(await codeOf(), 'wrong')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const code = await codeOf()
  const token = text((await exchange(code, 'verifier')).body, 'access_token')
  expect((await exchange(code, 'verifier')).status).toBe(400)
  expect((await world.ask('/mastodon/api/v1/accounts/verify_credentials', { token })).body).toMatchObject({ acct: 'carol' })
  expect(await world.ask(statuses, { token, json: { status: 'x' } })).toMatchObject({
    status: 403,
    body: { error: 'This action is outside the authorized scopes' },
  })
  await world.ask('/mastodon/oauth/revoke', { form: { ...client, token } })
  expect((await world.ask('/mastodon/api/v1/accounts/verify_credentials', { token })).status).toBe(401)
})

test('media is uploaded once and attached once', async () => {
  await using world = await openTestWorld()
  const { token } = await world.join('mastodon')
  const upload = (type: string) => {
    const form = new FormData()
    form.set('file', new Blob(['bytes'], { type }), 'file')
    form.set('description', 'a bell')
    return world.ask('/mastodon/api/v2/media', { token, body: form })
  }
  const image = await upload('image/png')
  expect(image).toMatchObject({ status: 200, body: { type: 'image', description: 'a bell' } })
  const media_ids = [at(image.body, 'id')]
  expect((await world.ask(statuses, { token, json: { status: '', media_ids } })).body).toMatchObject({
    media_attachments: [{ description: 'a bell' }],
  })
  const again = await world.ask(statuses, { token, json: { status: 'again', media_ids } })
  expect(again.status).toBe(422)
  expect(text(again.body, 'error')).toContain('already attached')
  expect(await (await fetch(text(image.body, 'url'))).text()).toBe('bytes')

  const video = await upload('video/mp4')
  expect(video.status).toBe(202)
  const early = await world.ask(statuses, { token, json: { status: 'early', media_ids: [at(video.body, 'id')] } })
  expect(text(early.body, 'error')).toContain('have not finished processing')
  expect((await world.ask(`/mastodon/api/v1/media/${text(video.body, 'id')}`, { token })).status).toBe(206)
  await world.control('/clock', { advanceMs: 1000 })
  expect((await world.ask(`/mastodon/api/v1/media/${text(video.body, 'id')}`, { token })).status).toBe(200)
})
