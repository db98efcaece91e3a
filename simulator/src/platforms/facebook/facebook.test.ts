import { expect, test } from 'vitest'
import { startTestSimulator, textAt, toList, valueAt } from '../../../test/start-test-simulator.ts'

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
const mp4 = new Uint8Array(Buffer.from('00000018667479706d703432', 'hex'))
const dayMs = 86_400_000

async function setUp(options: { notReadyMs?: number } = {}) {
  const simulator = await startTestSimulator(options)
  const person = await simulator.openAccount('facebook', 'bells')
  const listed = await simulator.request('/facebook/v26.0/me/accounts', { token: person.token })
  const token = textAt(listed.body, 'data', 0, 'access_token')
  const page = textAt(listed.body, 'data', 0, 'id')
  const at = (path: string) => `/facebook/v26.0/${path}`
  const get = async (path: string) => (await simulator.request(at(path), { token })).body
  const post = (path: string, form: Record<string, string>) => simulator.request(at(path), { token, form })
  const addPhoto = async (bytes: Uint8Array<ArrayBuffer> = jpeg) => {
    const body = new FormData()
    body.set('published', 'false')
    body.set('alt_text_custom', 'A bell')
    body.set('source', new Blob([bytes], { type: 'image/jpeg' }), 'bell.jpg')
    return simulator.request(at(`${page}/photos`), { token, body })
  }
  return { simulator, person, token, page, at, get, post, addPhoto, [Symbol.asyncDispose]: simulator[Symbol.asyncDispose] }
}

test('a page publishes, reads, comments on, measures and deletes a post', async () => {
  await using setup = await setUp()
  const { simulator, page, token, at, get, post } = setup
  const made = await post(`${page}/feed?fields=id,permalink_url`, { message: 'hello', link: 'https://tower.example/' })
  const id = textAt(made.body, 'id')
  expect(id).toMatch(new RegExp(`^${page}_\\d+$`))
  const url = textAt(made.body, 'permalink_url')
  expect((await simulator.request(url.slice(simulator.url.length))).status).toBe(200)
  const listed = await get(`${page}/published_posts?fields=id,message,attachments{unshimmed_url,media_type}`)
  expect(listed).toMatchObject({
    data: [{ id, message: 'hello', attachments: { data: [{ unshimmed_url: 'https://tower.example/' }] } }],
  })
  expect((await post(`${id}/comments`, { message: 'first' })).status).toBe(200)
  expect(await get(`${id}/comments`)).toMatchObject({ data: [{ message: 'first', from: { id: page } }] })
  const counted = await get(`${id}?fields=comments.summary(true).limit(0),shares`)
  expect(counted).toEqual({ id, comments: { data: [], summary: { total_count: 1 } } })
  expect(await get(`${id}/insights?metric=post_media_view`)).toMatchObject({
    data: [{ name: 'post_media_view', values: [{ value: 0 }] }],
  })
  expect(await get(`${id}/insights?metric=post_media_view,post_impressions`)).toMatchObject({ error: { code: 100 } })
  const remove = () => simulator.request(at(id), { token, method: 'DELETE' })
  expect((await remove()).body).toEqual({ success: true })
  expect((await remove()).body).toMatchObject({ error: { code: 100, error_subcode: 33 } })
  expect(await get(`${page}/published_posts`)).toMatchObject({ data: [] })
})

test('what the documentation refuses is refused', async () => {
  await using setup = await setUp()
  const { page, post } = setup
  const codeOf = async (form: Record<string, string>) => {
    const { body } = await post(`${page}/feed`, form)
    return [valueAt(body, 'error', 'code'), valueAt(body, 'error', 'error_subcode')]
  }
  expect(await codeOf({})).toEqual([100, undefined])
  expect(await codeOf({ message: 'a'.repeat(63_207) })).toEqual([100, undefined])
  expect(await codeOf({ link: 'https://nowhere.invalid/' })).toEqual([100, 1_609_005])
  expect(await codeOf({ link: 'https://www.facebook.com/bells' })).toEqual([100, 1_609_008])
  expect(await codeOf({ attached_media: '[{"media_fbid":"1"}]' })).toEqual([100, undefined])
  expect(await codeOf({ message: 'twice' })).toEqual([undefined, undefined])
  expect(await codeOf({ message: 'twice' })).toEqual([506, 1_455_006])
  expect(await codeOf({ message: 'another' })).toEqual([undefined, undefined])
  expect(await codeOf({ message: 'twice' })).toEqual([undefined, undefined])
})

test('the token of a person publishes nothing, and that of a page lists no pages', async () => {
  await using setup = await setUp()
  const { simulator, person, token, page, at } = setup
  const byPerson = await simulator.request(at(`${page}/feed`), { token: person.token, form: { message: 'no' } })
  expect(byPerson).toMatchObject({ status: 403, body: { error: { code: 200 } } })
  const byPage = await simulator.request(at('me/accounts'), { token })
  expect(byPage).toMatchObject({ status: 400, body: { error: { code: 100 } } })
})

test('a page token has no end if it was read with a long-lived token, and otherwise ends with the short one', async () => {
  await using setup = await setUp()
  const { simulator, page, at, token } = setup
  const app = { client_id: '1', client_secret: 's', redirect_uri: 'https://carillon.example/' }
  const consent = new URLSearchParams({
    ...app,
    response_type: 'code',
    scope: 'pages_show_list,pages_manage_posts',
    auto: '1',
    handle: 'bells',
  })
  const { headers } = await simulator.request(at(`dialog/oauth?${consent}`))
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const first = await simulator.request(at(`oauth/access_token?${new URLSearchParams({ ...app, code })}`))
  const short = await simulator.request(at('me/accounts'), { token: textAt(first.body, 'access_token') })
  await simulator.control('/clock', { advanceMs: 61 * dayMs })
  const send = (by: string) => simulator.request(at(`${page}/feed`), { token: by, form: { message: `by ${by}` } })
  expect((await send(textAt(short.body, 'data', 0, 'access_token'))).body).toMatchObject({
    error: { code: 190, error_subcode: 463 },
  })
  expect((await send(token)).status).toBe(200)
})

test('photos are attached to one post with their alt texts, are gone after a day, and a story shows only new ones', async () => {
  await using setup = await setUp()
  const { simulator, page, post, addPhoto } = setup
  expect((await addPhoto(new TextEncoder().encode('no photo'))).body).toMatchObject({ error: { error_subcode: 1_366_046 } })
  const ids = [textAt((await addPhoto()).body, 'id'), textAt((await addPhoto()).body, 'id')]
  const attach = (photos: string[]) =>
    post(`${page}/feed`, { message: 'two', attached_media: JSON.stringify(photos.map((id) => ({ media_fbid: id }))) })
  expect((await attach(ids)).status).toBe(200)
  expect(await simulator.posts('?text=two')).toMatchObject([{ media: [{ alt: 'A bell' }, { alt: 'A bell' }] }])
  const used = await post(`${page}/photo_stories`, { photo_id: ids[0] ?? '' })
  expect(used.body).toMatchObject({ error: { error_subcode: 1_366_051 } })
  const fresh = textAt((await addPhoto()).body, 'id')
  const story = await post(`${page}/photo_stories`, { photo_id: fresh })
  expect(story.body).toMatchObject({ success: true, post_id: expect.any(String) })
  const late = textAt((await addPhoto()).body, 'id')
  await simulator.control('/clock', { advanceMs: dayMs + 1 })
  expect((await attach([late])).body).toMatchObject({ error: { code: 100 } })
})

test('a reel is announced, uploaded and published, and shows its phases', async () => {
  await using setup = await setUp({ notReadyMs: 5000 })
  const { simulator, page, token, get, post } = setup
  const started = await post(`${page}/video_reels`, { upload_phase: 'start' })
  const id = textAt(started.body, 'video_id')
  const status = async () => valueAt(await get(`${id}?fields=status`), 'status', 'video_status')
  const finish = () =>
    post(`${page}/video_reels`, { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED', description: 'reel' })
  expect(await status()).toBe('uploading')
  expect((await finish()).body).toMatchObject({ error: { code: 6000 } })
  const address = textAt(started.body, 'upload_url').slice(simulator.url.length)
  const headers = { authorization: `OAuth ${token}`, offset: '0', file_size: String(mp4.length) }
  expect((await simulator.request(address, { headers, body: mp4 })).body).toEqual({ success: true })
  expect(await status()).toBe('upload_complete')
  expect((await finish()).body).toMatchObject({ success: true })
  expect(await status()).toBe('processing')
  expect(toList(valueAt(await get(`${page}/published_posts`), 'data'))).toEqual([])
  await simulator.control('/clock', { advanceMs: 5000 })
  expect(await get(`${id}?fields=status,permalink_url`)).toMatchObject({
    status: { video_status: 'ready', publishing_phase: { publish_status: 'published' } },
    permalink_url: `/reel/${id}`,
  })
  expect(await get(`${page}/published_posts`)).toMatchObject({ data: [{ message: 'reel' }] })
})

test('a new post cannot be commented on at once', async () => {
  await using setup = await setUp({ notReadyMs: 5000 })
  const { simulator, page, post } = setup
  const id = textAt((await post(`${page}/feed`, { message: 'hello' })).body, 'id')
  expect((await post(`${id}/comments`, { message: 'first' })).body).toMatchObject({ error: { code: 100, error_subcode: 33 } })
  await simulator.control('/clock', { advanceMs: 5000 })
  expect((await post(`${id}/comments`, { message: 'first' })).status).toBe(200)
})
