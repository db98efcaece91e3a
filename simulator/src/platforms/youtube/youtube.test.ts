import { expect, test } from 'vitest'
import { startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

const step = 256 * 1024
const bytes = Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(step + 88)])

async function setUp(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, refresh, id } = await simulator.openAccount('youtube', handle)
  const open = (snippet: object = {}, status: object = {}) =>
    simulator.request('/youtube/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status', {
      token,
      json: {
        snippet: { title: 'Bells', description: 'On the hour', ...snippet },
        status: { privacyStatus: 'public', ...status },
      },
      headers: { 'x-upload-content-type': 'video/mp4', 'x-upload-content-length': String(bytes.length) },
    })
  const put = (address: string, part: Buffer, range: string) =>
    simulator.request(address.slice(simulator.url.length), {
      method: 'PUT',
      token,
      body: new Uint8Array(part),
      headers: { 'content-range': `bytes ${range}/${bytes.length}` },
    })
  const upload = async (snippet: object = {}, status: object = {}) => {
    const address = (await open(snippet, status)).headers.get('location') ?? ''
    return textAt((await put(address, bytes, `0-${bytes.length - 1}`)).body, 'id')
  }
  const list = (parts: string, videoId: string) =>
    simulator.request(`/youtube/youtube/v3/videos?part=${parts}&id=${videoId}`, { token })
  return {
    simulator,
    token,
    refresh,
    channelId: id,
    open,
    put,
    upload,
    list,
    [Symbol.asyncDispose]: simulator[Symbol.asyncDispose],
  }
}

test('a video exists when its last byte arrives, and its session tells so for as long as it lasts', async () => {
  await using setup = await setUp()
  const { simulator, open, put, list } = setup
  const address = (await open()).headers.get('location') ?? ''
  expect(address).toContain('upload_id=')
  expect((await put(address, bytes.subarray(0, 1000), '0-999')).status).toBe(400)
  const asked = await put(address, Buffer.alloc(0), '*')
  expect([asked.status, asked.headers.get('range')]).toEqual([308, null])
  const first = await put(address, bytes.subarray(0, step), `0-${step - 1}`)
  expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${step - 1}`])
  expect(await simulator.posts()).toHaveLength(0)
  const last = await put(address, bytes.subarray(step), `${step}-${bytes.length - 1}`)
  expect(last).toMatchObject({ status: 200, body: { status: { uploadStatus: 'uploaded', privacyStatus: 'public' } } })
  const id = textAt(last.body, 'id')
  expect(id).toMatch(/^[\w-]{11}$/)
  expect(await put(address, Buffer.alloc(0), '*')).toMatchObject({ status: 200, body: { id } })
  await simulator.control('/clock', { advanceMs: 500 })
  expect((await list('status,statistics', id)).body).toMatchObject({
    items: [{ id, status: { uploadStatus: 'processed' }, statistics: { viewCount: '0' } }],
  })
  expect(await simulator.posts()).toMatchObject([{ text: 'On the hour', id }])
  await simulator.control('/clock', { advanceMs: 8 * 86_400_000 })
  const { token } = await simulator.openAccount('youtube', 'alice')
  const headers = { 'content-range': `bytes */${bytes.length}` }
  const path = address.slice(simulator.url.length)
  expect((await simulator.request(path, { method: 'PUT', token, headers })).status).toBe(404)
})

test.for([
  ['invalidTitle', { title: '' }],
  ['invalidTitle', { title: 'a'.repeat(101) }],
  ['invalidTitle', { title: 'a < b' }],
  ['invalidDescription', { description: 'ä'.repeat(2501) }],
  ['invalidDescription', { description: '<b>' }],
  ['invalidTags', { tags: Array.from({ length: 50 }, () => 'ten letters') }],
  ['invalidCategoryId', { categoryId: '999' }],
] as const)('metadata is checked when an upload is opened: %s', async ([reason, snippet]) => {
  await using setup = await setUp()
  expect(await setup.open(snippet)).toMatchObject({ status: 400, body: { error: { code: 400, errors: [{ reason }] } } })
})

test('a project that was not audited has its public videos locked as private', async () => {
  await using setup = await setUp()
  const { simulator, upload, list } = setup
  await simulator.control('/settings', { platform: 'youtube', audited: false })
  const id = await upload()
  expect((await list('status', id)).body).toMatchObject({ items: [{ status: { privacyStatus: 'public' } }] })
  await simulator.control('/clock', { advanceMs: 500 })
  expect((await list('status', id)).body).toMatchObject({ items: [{ status: { privacyStatus: 'private' } }] })
})

test('a used-up quota is a 403, for uploads apart from everything else', async () => {
  await using setup = await setUp()
  const { simulator, open, list } = setup
  await simulator.control('/settings', { platform: 'youtube', limits: { uploads: { max: 1 } } })
  expect((await open()).status).toBe(200)
  expect(await open()).toMatchObject({ status: 403, body: { error: { errors: [{ reason: 'quotaExceeded' }] } } })
  expect((await list('status', 'none')).status).toBe(200)
})

test('a comment is listed under its video, and a video for kids has none', async () => {
  await using setup = await setUp()
  const { simulator, token, channelId, upload } = setup
  const comment = (videoId: string) =>
    simulator.request('/youtube/youtube/v3/commentThreads?part=snippet', {
      token,
      json: { snippet: { channelId, videoId, topLevelComment: { snippet: { textOriginal: 'First' } } } },
    })
  const videoId = await upload()
  expect((await comment(videoId)).status).toBe(200)
  const listed = await simulator.request(`/youtube/youtube/v3/commentThreads?part=snippet&videoId=${videoId}`, { token })
  expect(listed.body).toMatchObject({ items: [{ snippet: { topLevelComment: { snippet: { textOriginal: 'First' } } } }] })
  expect(await comment(await upload({}, { selfDeclaredMadeForKids: true }))).toMatchObject({
    status: 403,
    body: { error: { errors: [{ reason: 'commentsDisabled' }] } },
  })
})

test('a refresh token stays valid, and revoking any token ends the grant', async () => {
  await using setup = await setUp()
  const { simulator, refresh } = setup
  const renew = () =>
    simulator.request('/youtube/token', {
      form: { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'id', client_secret: 'secret' },
    })
  const first = await renew()
  expect(first.body).not.toHaveProperty('refresh_token')
  expect((await renew()).status).toBe(200)
  const revoke = () => simulator.request('/youtube/revoke', { form: { token: textAt(first.body, 'access_token') } })
  expect((await revoke()).status).toBe(200)
  expect(await revoke()).toMatchObject({ status: 400, body: { error: 'invalid_token' } })
  expect(await renew()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})
