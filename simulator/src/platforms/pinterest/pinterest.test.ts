import { expect, test } from 'vitest'
import { startTestSimulator, textAt, toList, valueAt } from '../../../test/start-test-simulator.ts'

const jpeg = Buffer.from('ffd8ffe000104a4649460001', 'hex').toString('base64')
const image = { source_type: 'image_base64', content_type: 'image/jpeg', data: jpeg }

async function open(handle = 'alice', options: Parameters<typeof startTestSimulator>[0] = {}) {
  const simulator = await startTestSimulator(options)
  const { token, refresh } = await simulator.openAccount('pinterest', handle)
  const call = (path: string, more: object = {}) => simulator.request(`/pinterest/v5${path}`, { token, ...more })
  const boards = toList(valueAt((await call('/boards?page_size=250')).body, 'items')).map((board) => ({
    id: textAt(board, 'id'),
    name: textAt(board, 'name'),
    owner: textAt(board, 'owner', 'username'),
  }))
  const pin = (json: object) => call('/pins', { json: { board_id: boards[0]?.id, media_source: image, ...json } })
  return { simulator, refresh, call, boards, pin, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, valueAt(body, 'code')]

test('a pin has a page, a time without a zone, and is listed on its board until it is deleted', async () => {
  await using account = await open()
  const { status, body } = await account.pin({
    title: 'On bells',
    description: 'Ding',
    link: 'https://a.example/',
    alt_text: 'A bell',
  })
  const id = textAt(body, 'id')
  expect([status, id, textAt(body, 'created_at')]).toEqual([
    201,
    expect.stringMatching(/^\d{18}$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
  ])
  expect((await account.simulator.request(`/pinterest/pin/${id}/`)).text).toContain('On bells')
  const list = async () => valueAt((await account.call(`/boards/${account.boards[0]?.id}/pins`)).body, 'items')
  expect(await list()).toMatchObject([{ id, title: 'On bells', description: 'Ding', alt_text: 'A bell' }])
  expect((await account.call(`/pins/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect([await list(), codeOf(await account.call(`/pins/${id}`, { method: 'DELETE' }))]).toEqual([[], [404, 50]])
})

test('the limits are those of the description of the API', async () => {
  await using account = await open()
  expect((await account.pin({ title: '🔔'.repeat(100), description: '🔔'.repeat(800), alt_text: '🔔'.repeat(500) })).status).toBe(
    201,
  )
  const wrong = [{ title: 'a'.repeat(101) }, { description: 'a'.repeat(801) }, { alt_text: 'a'.repeat(501) }, { link: 'nowhere' }]
  for (const json of wrong) expect(codeOf(await account.pin(json))).toEqual([400, 1])
  const items = (count: number) => ({
    media_source: { source_type: 'multiple_image_base64', items: Array.from({ length: count }, () => image) },
  })
  expect((await account.pin(items(5))).status).toBe(201)
  for (const count of [1, 6]) expect((await account.pin(items(count))).status).toBe(400)
  expect(codeOf(await account.pin({ board_id: '1' }))).toEqual([404, 40])
  expect(codeOf(await account.pin({ media_source: { ...image, content_type: 'image/webp' } }))).toEqual([400, 1])
  const url = { media_source: { source_type: 'image_url', url: 'https://a.example/bell.jpg' } }
  expect((await account.pin(url)).body).toEqual({ code: 1, message: 'Sorry we could not fetch the image.' })
})

test('an app with Trial access makes no pins', async () => {
  await using account = await open('trial-anna')
  expect(codeOf(await account.pin({}))).toEqual([403, 29])
})

test('boards are those of the account and those that are shared with it, a page at a time', async () => {
  await using many = await open('many-anna')
  expect(many.boards.map(({ name, owner }) => [name, owner === 'somebody'])).toEqual([
    ['Bells', true],
    ['Bells', false],
    ['Towers & spires', false],
    ['Former friends', true],
  ])
  expect((await many.pin({ board_id: many.boards[3]?.id })).status).toBe(401)
  const { body } = await many.call(`/boards/${many.boards[1]?.id}/sections`)
  const sectionId = textAt(body, 'items', 0, 'id')
  expect((await many.pin({ board_id: many.boards[1]?.id, board_section_id: sectionId })).status).toBe(201)
  expect((await many.pin({ board_id: many.boards[0]?.id, board_section_id: sectionId })).status).toBe(404)
  await using crowded = await open('crowded-anna')
  const first = await crowded.call('/boards?page_size=250')
  const second = await crowded.call(`/boards?page_size=250&bookmark=${textAt(first.body, 'bookmark')}`)
  expect([toList(valueAt(second.body, 'items')).length, valueAt(second.body, 'bookmark')]).toEqual([70, null])
  expect((await crowded.call('/boards?page_size=251')).status).toBe(400)
})

test('a video is registered, stored, processed, and pinned with a cover', async () => {
  await using account = await open()
  await account.simulator.control('/settings', { platform: 'pinterest', processingMs: 60_000 })
  const { body } = await account.call('/media', { json: { media_type: 'video' } })
  const id = textAt(body, 'media_id')
  const upload = (authorization?: string) => {
    const form = new FormData()
    for (const name of ['key', 'policy', 'x-amz-signature']) form.append(name, textAt(body, 'upload_parameters', name))
    form.append('file', new Blob([new Uint8Array(10)], { type: 'video/mp4' }), 'bell.mp4')
    const path = new URL(textAt(body, 'upload_url')).pathname
    return account.simulator.request(path, { body: form, headers: authorization === undefined ? {} : { authorization } })
  }
  expect((await upload('Bearer x')).status).toBe(403)
  const status = async () => textAt((await account.call(`/media/${id}`)).body, 'status')
  const pin = (more: object = { cover_image_key_frame_time: 0 }) =>
    account.pin({ media_source: { source_type: 'video_id', media_id: id, ...more } })
  expect(await status()).toBe('registered')
  expect((await upload()).status).toBe(204)
  expect([await status(), (await pin()).status]).toEqual(['processing', 400])
  await account.simulator.control('/clock', { advanceMs: 60_000 })
  expect([await status(), (await pin({})).status, (await pin({ cover_image_key_frame_time: 1.5 })).status]).toEqual([
    'succeeded',
    400,
    400,
  ])
  expect((await pin()).status).toBe(201)
})

test('a permission that was not given is asked for at each call, and a limit says when it ends', async () => {
  await using account = await open()
  const redirect = 'https://carillon.example/callback'
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'a',
    redirect_uri: redirect,
    scope: 'user_accounts:read,boards:read',
  })
  const consent = await account.simulator.request(`/pinterest/oauth/?${query}&auto=1&handle=alice`)
  const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const headers = { authorization: `Basic ${btoa('a:b')}` }
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, continuous_refresh: 'true' }
  const { body } = await account.simulator.request('/pinterest/v5/oauth/token', { form, headers })
  const token = textAt(body, 'access_token')
  expect((await account.call('/boards', { token })).status).toBe(200)
  expect(codeOf(await account.call('/pins', { token, json: {} }))).toEqual([403, 3])
  await account.simulator.control('/settings', { platform: 'pinterest', limits: { write: { max: 1 } } })
  await account.pin({})
  const limited = await account.pin({})
  expect([codeOf(limited), Number(limited.headers.get('x-ratelimit-reset'))]).toEqual([[429, 8], expect.any(Number)])
})

test('a refresh token works once, and for 60 days', async () => {
  await using account = await open()
  const headers = { authorization: `Basic ${btoa('a:b')}` }
  const renew = (refresh_token: string) =>
    account.simulator.request('/pinterest/v5/oauth/token', { form: { grant_type: 'refresh_token', refresh_token }, headers })
  const day = 86_400_000
  await account.simulator.control('/clock', { advanceMs: 30 * day })
  expect(codeOf(await account.call('/user_account'))).toEqual([401, 2])
  const first = await renew(account.refresh)
  expect(first.body).toMatchObject({ expires_in: 2_592_000, refresh_token_expires_in: 5_184_000 })
  expect(codeOf(await renew(account.refresh))).toEqual([400, 283])
  await account.simulator.control('/clock', { advanceMs: 60 * day })
  expect((await renew(textAt(first.body, 'refresh_token'))).status).toBe(400)
})
