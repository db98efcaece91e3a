import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { at, openTestWorld, text } from '../../../test/start-test-simulator.ts'

const publish = '/tiktok/v2/post/publish'
const film = Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(88)])

async function open(handle = 'alice') {
  const world = await openTestWorld()
  const { token, refresh } = await world.join('tiktok', handle)
  const ask = (path: string, json: unknown) => world.ask(path, { token, json })
  const init = (info: object = {}, size = film.length, source: object = {}) =>
    ask(`${publish}/video/init/`, {
      post_info: { title: 'bells', privacy_level: 'SELF_ONLY', ...info },
      source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: size, total_chunk_count: 1, ...source },
    })
  const put = (address: string, bytes: Buffer, first: number, total: number) =>
    world.ask(address.slice(world.url.length), {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${first}-${first + bytes.length - 1}/${total}` },
    })
  const status = async (publish_id: string) => (await ask(`${publish}/status/fetch/`, { publish_id })).text
  return { world, token, refresh, ask, init, put, status, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
}

test('a video is published by its last byte, and a public one gets its id after moderation', async () => {
  await using scene = await open()
  const { world, ask, init, put, status } = scene
  expect((await ask(`${publish}/creator_info/query/`, {})).body).toMatchObject({
    data: { privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] },
    error: { code: 'ok' },
  })
  const made = await init({ privacy_level: 'PUBLIC_TO_EVERYONE' })
  const id = text(made.body, 'data', 'publish_id')
  expect(await status(id)).toContain('"uploaded_bytes":0')
  expect(await world.posts()).toHaveLength(0)
  const address = text(made.body, 'data', 'upload_url')
  expect((await put(address, film, 5, film.length + 5)).status).toBe(416)
  expect((await put(address, film, 0, film.length)).status).toBe(201)
  expect(await status(id)).toContain('PROCESSING_UPLOAD')
  await world.control('/clock', { advanceMs: 500 })
  expect(await status(id)).toMatch(/PUBLISH_COMPLETE.*"publicaly_available_post_id":\[\]/)
  await world.control('/clock', { advanceMs: 500 })
  const [, postId = ''] = /"publicaly_available_post_id":\[(\d{19})\]/.exec(await status(id)) ?? []
  const query = '/tiktok/v2/video/query/?fields=id,view_count'
  expect((await ask(query, { filters: { video_ids: [postId] } })).body).toMatchObject({ data: { videos: [{ id: postId }] } })
  expect(await world.posts()).toMatchObject([{ text: 'bells', id: postId }])
})

test('a large video goes in pieces, in order, and the last takes what is left', async () => {
  await using scene = await open()
  const { world, init, put } = scene
  const size = 11_000_000
  const whole = Buffer.concat([film, Buffer.alloc(size - film.length)])
  expect((await init({}, size, { chunk_size: 5_000_000, total_chunk_count: 3 })).status).toBe(400)
  const made = await init({}, size, { chunk_size: 5_000_000, total_chunk_count: 2 })
  const address = text(made.body, 'data', 'upload_url')
  expect((await put(address, whole.subarray(5_000_000), 5_000_000, size)).status).toBe(416)
  expect((await put(address, whole.subarray(0, 5_000_000), 0, size)).status).toBe(206)
  expect(await world.posts()).toHaveLength(0)
  expect((await put(address, whole.subarray(5_000_000), 5_000_000, size)).status).toBe(201)
  expect(await world.posts()).toHaveLength(1)
})

test('photos are published by the call that names them', async () => {
  await using scene = await open()
  const { world, ask, status } = scene
  const host = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': url === '/bell.jpg' ? 'image/jpeg' : 'image/png' }).end('picture')
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const address = host.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const send = async (file: string) =>
    text(
      (
        await ask(`${publish}/content/init/`, {
          media_type: 'PHOTO',
          post_mode: 'DIRECT_POST',
          post_info: { title: 'Bells', description: file, privacy_level: 'SELF_ONLY' },
          source_info: { source: 'PULL_FROM_URL', photo_images: [`${origin}/${file}`], photo_cover_index: 0 },
        })
      ).body,
      'data',
      'publish_id',
    )
  const good = await send('bell.jpg')
  await expect.poll(() => status(good)).toContain('PUBLISH_COMPLETE')
  const bad = await send('bell.png')
  await expect.poll(() => status(bad)).toContain('file_format_check_failed')
  expect(await world.posts()).toMatchObject([{ text: 'bell.jpg' }])
  host.close()
})

test('refusals', async () => {
  await using scene = await open('private-alice')
  const { world, init, put, refresh } = scene
  expect(at((await init({ privacy_level: 'PUBLIC_TO_EVERYONE' })).body, 'error', 'code')).toBe('privacy_level_option_mismatch')
  expect(at((await init({ title: 'a'.repeat(2201) })).body, 'error', 'code')).toBe('invalid_params')
  const made = await init()
  await world.control('/clock', { advanceMs: 3_600_000 })
  expect((await put(text(made.body, 'data', 'upload_url'), film, 0, film.length)).status).toBe(403)
  await world.control('/settings', { platform: 'tiktok', limits: { posts: { max: 0 } } })
  expect(await init()).toMatchObject({ status: 403, body: { error: { code: 'spam_risk_too_many_posts' } } })
  const renew = () =>
    world.ask('/tiktok/v2/oauth/token/', {
      form: { grant_type: 'refresh_token', refresh_token: refresh, client_key: 'app', client_secret: 'secret' },
    })
  expect((await renew()).body).toMatchObject({ token_type: 'Bearer', expires_in: 7200 })
  expect(await renew()).toMatchObject({ status: 200, body: { error: 'invalid_grant' } })
})
