import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

async function openReddit(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, refresh } = await simulator.openAccount('reddit', handle)
  const call = (path: string, options: object = {}) => simulator.request(`/reddit${path}`, { token, ...options })
  const submit = (form: Record<string, string>) =>
    call('/api/submit', { form: { api_type: 'json', kind: 'self', sr: 'bells', title: 'On bells', ...form } })
  const errorOf = async (form: Record<string, string>) => valueAt((await submit(form)).body, 'json', 'errors', 0, 0)
  return { simulator, refresh, call, submit, errorOf, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

test('a text has a page, and is listed with entities unless they are not wanted', async () => {
  await using reddit = await openReddit()
  const { status, body } = await reddit.submit({ text: ' 1 < 2 ' })
  const name = textAt(body, 'json', 'data', 'name')
  expect([status, name]).toEqual([200, expect.stringMatching(/^t3_[\da-z]+$/)])
  const { pathname } = new URL(textAt(body, 'json', 'data', 'url'))
  expect((await reddit.simulator.request(`/reddit${pathname}`)).text).toContain('On bells')
  const list = async (query: string) => (await reddit.call(`/user/alice/submitted?${query}`)).body
  expect(textAt(await list(''), 'data', 'children', 0, 'data', 'selftext')).toBe('1 &lt; 2')
  const raw = valueAt(await list('raw_json=1'), 'data', 'children', 0, 'data')
  expect(raw).toMatchObject({ name, selftext: '1 < 2', subreddit: 'bells', is_self: true, permalink: pathname })
  expect((await reddit.call('/user/nobody/submitted')).status).toBe(404)
})

test('a list has pages', async () => {
  await using reddit = await openReddit()
  for (const title of ['One', 'Two', 'Three']) {
    await reddit.submit({ title })
    await reddit.simulator.control('/clock', { advanceMs: 1000 })
  }
  const first = (await reddit.call('/user/alice/submitted?limit=2')).body
  const after = textAt(first, 'data', 'after')
  const titles = [0, 1].map((at) => textAt(first, 'data', 'children', at, 'data', 'title'))
  const second = (await reddit.call(`/user/alice/submitted?limit=2&after=${after}`)).body
  expect([...titles, textAt(second, 'data', 'children', 0, 'data', 'title')]).toEqual(['Three', 'Two', 'One'])
  expect(valueAt(second, 'data', 'after')).toBeNull()
})

test('what is wrong with a form is said with the status of a success', async () => {
  await using reddit = await openReddit()
  expect(await reddit.errorOf({ title: ' ' })).toBe('NO_TEXT')
  expect(await reddit.errorOf({ title: 'a'.repeat(301) })).toBe('TOO_LONG')
  expect(await reddit.errorOf({ text: 'a'.repeat(40_001) })).toBe('TOO_LONG')
  expect(await reddit.errorOf({ sr: '' })).toBe('SUBREDDIT_REQUIRED')
  expect(await reddit.errorOf({ sr: 'nowhere_land' })).toBe('SUBREDDIT_NOEXIST')
  expect(await reddit.errorOf({ sr: 'u_bob' })).toBe('SUBREDDIT_NOTALLOWED')
  expect(await reddit.errorOf({ sr: 'links_only' })).toBe('NO_SELFS')
  expect(await reddit.errorOf({ kind: 'link', url: 'nowhere' })).toBe('BAD_URL')
  expect(await reddit.errorOf({ kind: 'poll' })).toBe('INVALID_OPTION')
  expect(await reddit.errorOf({ kind: 'image', url: 'https://a.example/unknown' })).toBe('BAD_URL')
  expect(await reddit.simulator.posts('?platform=reddit')).toEqual([])
})

test('the same link is refused only if it is not to be submitted again', async () => {
  await using reddit = await openReddit()
  const link = { kind: 'link', url: 'https://a.example/' }
  expect(await reddit.errorOf(link)).toBeUndefined()
  expect(await reddit.errorOf({ ...link, resubmit: 'false' })).toBe('ALREADY_SUB')
  expect(await reddit.errorOf({ ...link, resubmit: 'true' })).toBeUndefined()
})

test('rules of a subreddit are checked if that is wanted, and a flair must be one that it has', async () => {
  await using reddit = await openReddit()
  const checked = { sr: 'flaired_bells', validate_on_submit: 'true' }
  const { status, body } = await reddit.submit(checked)
  expect([status, valueAt(body, 'reason')]).toEqual([400, 'SUBMIT_VALIDATION_FLAIR_REQUIRED'])
  expect((await reddit.submit({ sr: 'flaired_bells' })).status).toBe(200)
  const flairs = (await reddit.call('/r/flaired_bells/api/link_flair_v2')).body
  expect((await reddit.submit({ ...checked, flair_id: textAt(flairs, 0, 'id') })).status).toBe(200)
  expect((await reddit.submit({ flair_id: 'unknown' })).status).toBe(400)
  expect((await reddit.submit({ sr: 'private_club' })).body).toMatchObject({ error: 403, reason: 'private' })
})

test('an image is uploaded to a lease, and its post is listed when it is converted, with the name of the file', async () => {
  await using reddit = await openReddit()
  await reddit.simulator.control('/settings', { platform: 'reddit', imageProcessingMs: 60_000 })
  const lease = (await reddit.call('/api/media/asset.json', { form: { filepath: 'a.png', mimetype: 'image/png' } })).body
  const upload = (more: Record<string, string> = {}) => {
    const body = new FormData()
    const fields = valueAt(lease, 'args', 'fields')
    for (const field of Array.isArray(fields) ? fields : []) body.append(textAt(field, 'name'), textAt(field, 'value'))
    for (const [name, value] of Object.entries(more)) body.set(name, value)
    body.append('file', new Blob([new Uint8Array(9)], { type: 'image/png' }), 'a.png')
    const { pathname } = new URL(`http:${textAt(lease, 'args', 'action')}`)
    return reddit.simulator.request(pathname, { body })
  }
  expect((await upload({ policy: 'another' })).status).toBe(403)
  expect((await upload()).text).toContain('<PostResponse>')
  const asset = textAt(lease, 'asset', 'asset_id')
  const { body } = await reddit.submit({ kind: 'image', url: `https://storage.example/${asset}` })
  expect(valueAt(body, 'json', 'data')).toEqual({ user_submitted_page: expect.any(String), websocket_url: expect.any(String) })
  const list = async () => valueAt((await reddit.call('/user/alice/submitted')).body, 'data', 'children', 0, 'data', 'url')
  expect(await list()).toBeUndefined()
  await reddit.simulator.control('/clock', { advanceMs: 60_000 })
  expect(await list()).toBe(`https://i.redd.it/${asset}.png`)
})

test('a refresh token works as often as one likes, and ends everything if it is revoked', async () => {
  await using reddit = await openReddit()
  const headers = { authorization: `Basic ${btoa('a:b')}` }
  const ask = (path: string, form: Record<string, string>) =>
    reddit.simulator.request(`/reddit/api/v1/${path}`, { form, headers })
  const renew = () => ask('access_token', { grant_type: 'refresh_token', refresh_token: reddit.refresh })
  expect([(await renew()).status, (await renew()).status]).toEqual([200, 200])
  expect((await ask('access_token', { grant_type: 'authorization_code', code: 'x' })).body).toEqual({ error: 'invalid_grant' })
  expect((await ask('revoke_token', { token: reddit.refresh })).status).toBe(204)
  expect((await renew()).status).toBe(400)
  expect((await reddit.call('/api/v1/me')).status).toBe(401)
})

test('a comment answers a post, a deletion says nothing, and a young account waits', async () => {
  await using reddit = await openReddit('young_anna')
  const name = textAt((await reddit.submit({})).body, 'json', 'data', 'name')
  expect(await reddit.errorOf({})).toBe('RATELIMIT')
  const comment = () => reddit.call('/api/comment', { form: { api_type: 'json', thing_id: name, text: 'First' } })
  expect(valueAt((await comment()).body, 'json', 'data', 'things', 0, 'data')).toMatchObject({ parent_id: name, body: 'First' })
  for (const id of [name, 't3_unknown']) expect((await reddit.call('/api/del', { form: { id } })).body).toEqual({})
  expect(valueAt((await comment()).body, 'json', 'errors', 0, 0)).toBe('DELETED_COMMENT')
  expect((await reddit.call(`/api/info?id=${name}`)).body).toMatchObject({ data: { children: [] } })
})
