import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt, type RequestOptions } from '../../../test/start-test-simulator.ts'

async function openServer(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, password } = await simulator.openAccount('lemmy', handle)
  const call = (path: string, options: RequestOptions = {}) => simulator.request(`/lemmy${path}`, { token, ...options })
  const publish = (json: object) => call('/api/v3/post', { json: { name: 'On bells', community_id: 11, ...json } })
  return { simulator, token, password, call, publish, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const codeOf = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  return [status, valueAt(body, 'error')]
}

test('a person signs in by name and password, with a code if the account asks for one', async () => {
  await using server = await openServer()
  const signIn = (json: object) => server.simulator.request('/lemmy/api/v3/user/login', { json })
  const { password } = server
  const { body } = await signIn({ username_or_email: 'alice', password })
  const site = await server.call('/api/v3/site', { token: textAt(body, 'jwt') })
  expect(site.body).toMatchObject({ version: '0.19.19', my_user: { local_user_view: { person: { name: 'alice' } } } })
  expect(await codeOf(signIn({ username_or_email: 'alice', password: 'x' }))).toEqual([401, 'incorrect_login'])
  const other = await server.simulator.openAccount('lemmy', 'totp-bob')
  const named = { username_or_email: 'totp-bob', password: other.password }
  expect(await codeOf(signIn(named))).toEqual([400, 'missing_totp_token'])
  expect(await codeOf(signIn({ ...named, totp_2fa_token: '1' }))).toEqual([400, 'incorrect_totp_token'])
  expect((await signIn({ ...named, totp_2fa_token: '123456' })).status).toBe(200)
})

test('a token that is not known is ignored where none is needed, and refused like a wrong password elsewhere', async () => {
  await using server = await openServer()
  expect((await server.call('/api/v3/site', { token: 'nobody' })).body).not.toHaveProperty('my_user')
  expect(await codeOf(server.call('/api/v3/user/validate_auth', { token: 'nobody' }))).toEqual([401, 'incorrect_login'])
})

test('a community is found by its name, on this server or on another one', async () => {
  await using server = await openServer()
  const found = async (name: string) =>
    valueAt((await server.call(`/api/v3/community?name=${name}`)).body, 'community_view', 'community')
  expect(await found('bells')).toMatchObject({ id: 11, title: 'Bells & Towers', local: true })
  expect(await found('towers@far.example')).toMatchObject({ name: 'towers', local: false })
  expect(await codeOf(server.call('/api/v3/community?name=nowhere'))).toEqual([404, 'couldnt_find_community'])
})

test('a post has its title, its text and the address of its page, and is deleted once', async () => {
  await using server = await openServer()
  const { status, body } = await server.publish({ body: 'bells', url: 'https://a.example/?b=1&utm_source=x' })
  expect(status).toBe(200)
  const made = valueAt(body, 'post_view', 'post')
  expect(made).toMatchObject({ name: 'On bells', body: 'bells', url: 'https://a.example/?b=1', nsfw: false })
  expect(await server.simulator.posts('?platform=lemmy')).toMatchObject([{ text: 'bells', link: { url: expect.any(String) } }])
  expect((await server.simulator.request(new URL(textAt(made, 'ap_id')).pathname)).text).toContain('On bells')
  const remove = () => server.call('/api/v3/post/delete', { json: { post_id: valueAt(made, 'id'), deleted: true } })
  expect((await remove()).status).toBe(200)
  expect(await codeOf(remove())).toEqual([400, 'couldnt_update_post'])
})

test('what a community or the server does not take is refused with a code', async () => {
  await using server = await openServer()
  const refused = async (json: object) => (await codeOf(server.publish(json)))[1]
  expect(await refused({ name: 'ab' })).toBe('invalid_post_title')
  expect(await refused({ name: 'a\nbcd' })).toBe('invalid_post_title')
  expect(await refused({ body: 'a'.repeat(50_001) })).toBe('invalid_body_field')
  expect(await refused({ url: 'ftp://a.example' })).toBe('invalid_url_scheme')
  expect(await refused({ url: 'https://blocked.example' })).toBe('blocked_url')
  expect(await refused({ community_id: 12 })).toBe('only_mods_can_post_in_community')
})

test('the limit of a new server is six posts in ten minutes, and it answers 400', async () => {
  await using server = await openServer()
  for (let n = 0; n < 6; n++) expect((await server.publish({ body: `${n}` })).status).toBe(200)
  expect(await codeOf(server.publish({}))).toEqual([400, 'rate_limit_error'])
})

test('a language that the community does not have is refused', async () => {
  await using server = await openServer()
  expect(await codeOf(server.publish({ community_id: 13, language_id: 37 }))).toEqual([400, 'language_not_allowed'])
  expect((await server.publish({ community_id: 13 })).status).toBe(200)
})

test('an image is uploaded to pict-rs, and its address makes a post with it', async () => {
  await using server = await openServer()
  const upload = (mime: string) => {
    const form = new FormData()
    form.set('images[]', new Blob(['image'], { type: mime }), 'bell.png')
    return server.call('/pictrs/image', { body: form })
  }
  const { status, body } = await upload('image/png')
  expect([status, valueAt(body, 'msg')]).toEqual([201, 'ok'])
  const file = textAt(body, 'files', 0, 'file')
  await server.publish({ url: `${server.simulator.url}/lemmy/pictrs/image/${file}`, alt_text: 'A bronze bell' })
  expect(await server.simulator.posts('?platform=lemmy')).toMatchObject([{ media: [{ alt: 'A bronze bell' }], link: null }])
  expect((await upload('image/x-bell')).status).toBe(400)
})

test('posts that a person is not shown are missing from the lists for their author too', async () => {
  await using server = await openServer('german-greta')
  await server.publish({ body: 'one', language_id: 37 })
  await server.publish({ body: 'two', nsfw: true })
  const listed = async (more: string) => {
    const { body } = await server.call(`/api/v3/post/list?sort=New&community_id=11${more}`)
    return (valueAt(body, 'posts') as unknown[]).map((each) => valueAt(each, 'post', 'body'))
  }
  expect([await listed(''), await listed('&show_nsfw=true')]).toEqual([[], ['two']])
})

test('a comment belongs to a post, and a locked post takes none', async () => {
  await using server = await openServer()
  const idOf = async (json: object) => valueAt((await server.publish(json)).body, 'post_view', 'post', 'id')
  const post = await idOf({})
  const comment = (post_id: unknown) => server.call('/api/v3/comment', { json: { post_id, content: 'rung' } })
  expect((await comment(post)).body).toMatchObject({ comment_view: { comment: { id: 1, content: 'rung', post_id: post } } })
  const listed = await server.call(`/api/v3/comment/list?sort=New&post_id=${String(post)}`)
  expect(listed.body).toMatchObject({ comments: [{ comment: { content: 'rung' } }] })
  expect(await codeOf(comment(await idOf({ name: 'Shut [locked]' })))).toEqual([400, 'locked'])
  const remove = () => server.call('/api/v3/comment/delete', { json: { comment_id: 1, deleted: true } })
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 400])
})

test('an error may follow a post that was made', async () => {
  await using server = await openServer()
  expect(await codeOf(server.publish({ name: 'Hello [no upvote]', body: 'made' }))).toEqual([400, 'couldnt_like_post'])
  expect(await server.simulator.posts('?platform=lemmy')).toMatchObject([{ text: 'made' }])
})
