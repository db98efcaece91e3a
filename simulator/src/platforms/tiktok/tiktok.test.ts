import { expect, test } from 'vitest'
import { serveFiles } from '../../../test/serve-files.ts'
import { valueAt, startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

const publish = '/tiktok/v2/post/publish'
const videoBytes = Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(88)])

async function setUp(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, refresh } = await simulator.openAccount('tiktok', handle)
  const request = (path: string, json: unknown) => simulator.request(path, { token, json })
  const init = (info: object = {}, size = videoBytes.length, source: object = {}) =>
    request(`${publish}/video/init/`, {
      post_info: { title: 'bells', privacy_level: 'SELF_ONLY', ...info },
      source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: size, total_chunk_count: 1, ...source },
    })
  const put = (address: string, bytes: Buffer, first: number, total: number) =>
    simulator.request(address.slice(simulator.url.length), {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${first}-${first + bytes.length - 1}/${total}` },
    })
  const status = async (publish_id: string) => (await request(`${publish}/status/fetch/`, { publish_id })).text
  return { simulator, token, refresh, request, init, put, status, [Symbol.asyncDispose]: simulator[Symbol.asyncDispose] }
}

test('a video is published when its last byte arrives, and a public one gets its id after moderation', async () => {
  await using setup = await setUp()
  const { simulator, request, init, put, status } = setup
  expect((await request(`${publish}/creator_info/query/`, {})).body).toMatchObject({
    data: { privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] },
    error: { code: 'ok' },
  })
  const made = await init({ privacy_level: 'PUBLIC_TO_EVERYONE' })
  const id = textAt(made.body, 'data', 'publish_id')
  expect(await status(id)).toContain('"uploaded_bytes":0')
  expect(await simulator.posts()).toHaveLength(0)
  const address = textAt(made.body, 'data', 'upload_url')
  expect((await put(address, videoBytes, 5, videoBytes.length + 5)).status).toBe(416)
  expect((await put(address, videoBytes, 0, videoBytes.length)).status).toBe(201)
  expect(await status(id)).toContain('PROCESSING_UPLOAD')
  await simulator.control('/clock', { advanceMs: 500 })
  expect(await status(id)).toMatch(/PUBLISH_COMPLETE.*"publicaly_available_post_id":\[\]/)
  await simulator.control('/clock', { advanceMs: 500 })
  const [, postId = ''] = /"publicaly_available_post_id":\[(\d{19})\]/.exec(await status(id)) ?? []
  const query = '/tiktok/v2/video/query/?fields=id,view_count'
  expect((await request(query, { filters: { video_ids: [postId] } })).body).toMatchObject({ data: { videos: [{ id: postId }] } })
  expect(await simulator.posts()).toMatchObject([{ text: 'bells', id: postId }])
})

test('a large video is uploaded in chunks, in order, and the last one contains the remainder', async () => {
  await using setup = await setUp()
  const { simulator, init, put } = setup
  const size = 11_000_000
  const whole = Buffer.concat([videoBytes, Buffer.alloc(size - videoBytes.length)])
  expect((await init({}, size, { chunk_size: 5_000_000, total_chunk_count: 3 })).status).toBe(400)
  const made = await init({}, size, { chunk_size: 5_000_000, total_chunk_count: 2 })
  const address = textAt(made.body, 'data', 'upload_url')
  expect((await put(address, whole.subarray(5_000_000), 5_000_000, size)).status).toBe(416)
  expect((await put(address, whole.subarray(0, 5_000_000), 0, size)).status).toBe(206)
  expect(await simulator.posts()).toHaveLength(0)
  expect((await put(address, whole.subarray(5_000_000), 5_000_000, size)).status).toBe(201)
  expect(await simulator.posts()).toHaveLength(1)
})

test('the call that lists the photos publishes them', async () => {
  await using setup = await setUp()
  const { simulator, request, status } = setup
  using media = await serveFiles({
    '/bell.jpg': { mime: 'image/jpeg', bytes: 'picture' },
    '/bell.png': { mime: 'image/png', bytes: 'picture' },
  })
  const send = async (file: string) =>
    textAt(
      (
        await request(`${publish}/content/init/`, {
          media_type: 'PHOTO',
          post_mode: 'DIRECT_POST',
          post_info: { title: 'Bells', description: file, privacy_level: 'SELF_ONLY' },
          source_info: { source: 'PULL_FROM_URL', photo_images: [`${media.origin}/${file}`], photo_cover_index: 0 },
        })
      ).body,
      'data',
      'publish_id',
    )
  const good = await send('bell.jpg')
  await expect.poll(() => status(good)).toContain('PUBLISH_COMPLETE')
  const bad = await send('bell.png')
  await expect.poll(() => status(bad)).toContain('file_format_check_failed')
  expect(await simulator.posts()).toMatchObject([{ text: 'bell.jpg' }])
})

test('what is put into the inbox is published when the person finishes it, with words of their own', async () => {
  await using setup = await setUp('late-alice')
  const { simulator, request, put, status } = setup
  const initInbox = () =>
    request(`${publish}/inbox/video/init/`, {
      source_info: { source: 'FILE_UPLOAD', video_size: videoBytes.length, chunk_size: videoBytes.length, total_chunk_count: 1 },
    })
  const made = await initInbox()
  const id = textAt(made.body, 'data', 'publish_id')
  expect((await put(textAt(made.body, 'data', 'upload_url'), videoBytes, 0, videoBytes.length)).status).toBe(201)
  await simulator.control('/clock', { advanceMs: 500 })
  expect(await status(id)).toContain('SEND_TO_USER_INBOX')
  expect(await simulator.posts()).toEqual([])
  for (let waiting = 2; waiting <= 5; waiting++) expect((await initInbox()).status).toBe(200)
  expect(await initInbox()).toMatchObject({ status: 403, body: { error: { code: 'spam_risk_too_many_pending_share' } } })
  await simulator.control('/clock', { advanceMs: 3_600_000 })
  expect(await status(id)).toContain('PUBLISH_COMPLETE')
  expect(await simulator.posts()).toMatchObject([{ text: 'Written in the app by late-alice' }])
  expect((await initInbox()).status).toBe(200)
})

test('invalid requests, expired uploads, exceeded limits and used refresh tokens are refused', async () => {
  await using setup = await setUp('private-alice')
  const { simulator, init, put, refresh } = setup
  expect(valueAt((await init({ privacy_level: 'PUBLIC_TO_EVERYONE' })).body, 'error', 'code')).toBe(
    'privacy_level_option_mismatch',
  )
  expect(valueAt((await init({ title: 'a'.repeat(2201) })).body, 'error', 'code')).toBe('invalid_params')
  const made = await init()
  await simulator.control('/clock', { advanceMs: 3_600_000 })
  expect((await put(textAt(made.body, 'data', 'upload_url'), videoBytes, 0, videoBytes.length)).status).toBe(403)
  await simulator.control('/settings', { platform: 'tiktok', limits: { posts: { max: 0 } } })
  expect(await init()).toMatchObject({ status: 403, body: { error: { code: 'spam_risk_too_many_posts' } } })
  const renew = () =>
    simulator.request('/tiktok/v2/oauth/token/', {
      form: { grant_type: 'refresh_token', refresh_token: refresh, client_key: 'app', client_secret: 'secret' },
    })
  expect((await renew()).body).toMatchObject({ token_type: 'Bearer', expires_in: 7200 })
  expect(await renew()).toMatchObject({ status: 200, body: { error: 'invalid_grant' } })
})
