import { expect, test } from 'vitest'
import { serveFiles } from '../../test/serve-files.ts'
import { startTestSimulator, textAt, toList, valueAt } from '../../test/start-test-simulator.ts'

test('a wrong setting is refused and changes nothing', async () => {
  await using simulator = await startTestSimulator()
  const set = async (change: object) => (await simulator.control('/settings', change)).status
  expect(await set({ latencyMs: 5, nonsense: 1 })).toBe(400)
  expect(await set({ platform: 'mastodon', duplicateFilter: false })).toBe(400)
  expect(await set({ secondPublish: 'sometimes' })).toBe(400)
  expect(await set({ readDelayMs: -1 })).toBe(400)
  // Without a platform, a setting applies to the platforms that have it.
  expect(await set({ duplicateFilter: false })).toBe(200)
  const { body } = await simulator.request('/_control/settings')
  expect(body).toMatchObject({ x: { duplicateFilter: false, latencyMs: 0 }, linkedin: { duplicateFilter: false } })
  expect(valueAt(body, 'mastodon', 'duplicateFilter')).toBeUndefined()
  await simulator.control('/reset', {})
  expect((await simulator.request('/_control/settings')).body).toMatchObject({ x: { duplicateFilter: true } })
})

test('without its duplicate filter X publishes the same text twice, and its window can be changed', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('x')
  const send = async () => (await simulator.request('/x/2/tweets', { token, json: { text: 'same' } })).status
  await send()
  expect(await send()).toBe(403)
  await simulator.control('/settings', { platform: 'x', duplicateWindowMs: 1000 })
  await simulator.control('/clock', { advanceMs: 1000 })
  expect(await send()).toBe(201)
  await simulator.control('/settings', { platform: 'x', duplicateFilter: false })
  expect(await send()).toBe(201)
  expect(await simulator.posts('?text=same')).toHaveLength(3)
})

test('without its duplicate filter LinkedIn publishes the same text twice', async () => {
  await using simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('linkedin')
  const headers = { 'linkedin-version': '202606', 'x-restli-protocol-version': '2.0.0' }
  const distribution = { feedDistribution: 'MAIN_FEED' }
  const json = { author: id, commentary: 'same', visibility: 'PUBLIC', distribution, lifecycleState: 'PUBLISHED' }
  const send = async () => (await simulator.request('/linkedin/rest/posts', { token, headers, json })).status
  expect([await send(), await send()]).toEqual([201, 422])
  await simulator.control('/settings', { platform: 'linkedin', duplicateFilter: false })
  expect(await send()).toBe(201)
})

test('a Mastodon server that ignores Idempotency-Key publishes twice', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  await simulator.control('/settings', { platform: 'mastodon', idempotencyKeys: false })
  const headers = { 'idempotency-key': 'one' }
  for (let n = 0; n < 2; n++) await simulator.request('/mastodon/api/v1/statuses', { token, headers, json: { status: 'same' } })
  expect(await simulator.submits()).toMatchObject({ asked: 2, carriedOut: 2 })
})

test.each(['threads', 'instagram'])(
  'a container of %s can be set to be published twice and to report it late',
  async (platform) => {
    await using simulator = await startTestSimulator()
    using media = await serveFiles({
      '/bell.jpg': { mime: 'image/jpeg', bytes: Buffer.from('ffd8ffc0000b08000a000a01011100ffd9', 'hex') },
    })
    const { token } = await simulator.openAccount(platform)
    await simulator.control('/settings', { platform, secondPublish: 'repeat', containerStatusDelayMs: 60_000 })
    const root = platform === 'threads' ? '/threads/v1.0' : '/instagram/v26.0'
    const [stage, publish] = platform === 'threads' ? ['threads', 'threads_publish'] : ['media', 'media_publish']
    const form = { media_type: 'IMAGE', image_url: `${media.origin}/bell.jpg`, text: 'bell', caption: 'bell' }
    const creation_id = textAt((await simulator.request(`${root}/me/${stage}`, { token, form })).body, 'id')
    const state = async () => {
      const { body } = await simulator.request(`${root}/${creation_id}?fields=status,status_code`, { token })
      return valueAt(body, 'status_code') ?? valueAt(body, 'status')
    }
    await expect.poll(state).toBe('FINISHED')
    const send = async () =>
      textAt((await simulator.request(`${root}/me/${publish}`, { token, form: { creation_id } })).body, 'id')
    const [first, second] = [await send(), await send()]
    expect(second).not.toBe('')
    expect(second).not.toBe(first)
    expect(await simulator.posts('?text=bell')).toHaveLength(2)
    expect(await state()).toBe('FINISHED')
    await simulator.control('/clock', { advanceMs: 60_000 })
    expect(await state()).toBe('PUBLISHED')
  },
)

const headersOfLinkedin = { 'linkedin-version': '202606', 'x-restli-protocol-version': '2.0.0' }

test('with a read delay a new post is missing from lists and lookups at first', async () => {
  await using simulator = await startTestSimulator()
  await simulator.control('/settings', { readDelayMs: 60_000 })
  const open = (platform: string, handle?: string) => simulator.openAccount(platform, handle)
  const [mastodon, x, threads, bluesky, page] = [
    await open('mastodon'),
    await open('x'),
    await open('threads'),
    await open('bluesky'),
    await open('linkedin', 'company-bells'),
  ]
  const collection = 'app.bsky.feed.post'
  const repo = '/bluesky/xrpc/com.atproto.repo'
  const rkey = '3jzfcijpj2z2a'
  const record = { $type: collection, createdAt: '2026-01-01T00:00:00.000Z', text: 'bells' }
  const distribution = { feedDistribution: 'MAIN_FEED' }
  const share = { author: page.id, commentary: 'bells', visibility: 'PUBLIC', distribution, lifecycleState: 'PUBLISHED' }
  const thread = { media_type: 'TEXT', text: 'bells', auto_publish_text: 'true' }

  const status = await simulator.request('/mastodon/api/v1/statuses', { token: mastodon.token, json: { status: 'bells' } })
  const tweet = await simulator.request('/x/2/tweets', { token: x.token, json: { text: 'bells' } })
  const threadId = textAt(
    (await simulator.request('/threads/v1.0/me/threads', { token: threads.token, form: thread })).body,
    'id',
  )
  const json = { repo: bluesky.id, collection, rkey, record }
  await simulator.request(`${repo}.putRecord`, { token: bluesky.token, json })
  await simulator.request('/linkedin/rest/posts', { token: page.token, headers: headersOfLinkedin, json: share })

  const tweetId = textAt(tweet.body, 'data', 'id')
  const author = encodeURIComponent(page.id)
  const uri = `at://${bluesky.id}/${collection}/${rkey}`
  const read = async (path: string, token: string, ...at: (string | number)[]) =>
    valueAt((await simulator.request(path, { token, headers: headersOfLinkedin })).body, ...at) !== undefined
  const readAll = async () => [
    await read(`/mastodon/api/v1/accounts/${mastodon.id}/statuses`, mastodon.token, 0),
    await read(`/mastodon/api/v1/statuses/${textAt(status.body, 'id')}`, mastodon.token, 'id'),
    await read(`/x/2/users/${x.id}/tweets`, x.token, 'data', 0),
    await read(`/x/2/tweets/${tweetId}`, x.token, 'data'),
    await read(`/x/2/tweets?ids=${tweetId}`, x.token, 'data'),
    await read('/threads/v1.0/me/threads', threads.token, 'data', 0),
    await read(`/threads/v1.0/${threadId}`, threads.token, 'id'),
    await read(`${repo}.getRecord?repo=${bluesky.id}&collection=${collection}&rkey=${rkey}`, bluesky.token, 'uri'),
    await read(`${repo}.listRecords?repo=${bluesky.id}&collection=${collection}`, bluesky.token, 'records', 0),
    await read(`/bluesky/xrpc/app.bsky.feed.getPosts?uris=${uri}`, bluesky.token, 'posts', 0),
    await read(`/linkedin/rest/posts?q=author&author=${author}`, page.token, 'elements', 0),
  ]
  expect(new Set(await readAll())).toEqual(new Set([false]))
  expect(await simulator.posts()).toHaveLength(5)
  // A reply finds its parent at once.
  const reply = { text: 'more', reply: { in_reply_to_tweet_id: tweetId } }
  expect((await simulator.request('/x/2/tweets', { token: x.token, json: reply })).status).toBe(201)
  await simulator.control('/clock', { advanceMs: 60_000 })
  expect(new Set(await readAll())).toEqual(new Set([true]))
})

test('processing takes time and can end in a failure', async () => {
  await using simulator = await startTestSimulator()
  using media = await serveFiles({
    '/bell.jpg': { mime: 'image/jpeg', bytes: Buffer.from('ffd8ffc0000b08000a000a01011100ffd9', 'hex') },
  })
  await simulator.control('/settings', { processingFails: true, imageProcessingMs: 60_000, processingMs: 60_000 })
  const image_url = `${media.origin}/bell.jpg`

  const instagram = await simulator.openAccount('instagram')
  const form = { image_url, caption: 'bell' }
  const staged = await simulator.request('/instagram/v26.0/me/media', { token: instagram.token, form })
  const container = `/instagram/v26.0/${textAt(staged.body, 'id')}?fields=status_code,status`
  const containerState = async () => (await simulator.request(container, { token: instagram.token })).text

  const tiktok = await simulator.openAccount('tiktok')
  const publish = '/tiktok/v2/post/publish'
  const json = {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { description: 'photo', privacy_level: 'SELF_ONLY' },
    source_info: { source: 'PULL_FROM_URL', photo_images: [image_url], photo_cover_index: 0 },
  }
  const job = await simulator.request(`${publish}/content/init/`, { token: tiktok.token, json })
  const publish_id = textAt(job.body, 'data', 'publish_id')
  const jobState = async () =>
    (await simulator.request(`${publish}/status/fetch/`, { token: tiktok.token, json: { publish_id } })).text

  const x = await simulator.openAccount('x')
  const upload = '/x/2/media/upload'
  const begin = { media_type: 'video/mp4', total_bytes: 4 }
  const id = textAt((await simulator.request(`${upload}/initialize`, { token: x.token, json: begin })).body, 'data', 'id')
  const chunk = new FormData()
  chunk.set('media', new Blob(['film'], { type: 'video/mp4' }), 'film.mp4')
  chunk.set('segment_index', '0')
  await simulator.request(`${upload}/${id}/append`, { token: x.token, body: chunk })
  await simulator.request(`${upload}/${id}/finalize`, { token: x.token, json: {} })
  const mediaState = async () => (await simulator.request(`${upload}?media_id=${id}`, { token: x.token })).text

  // The platforms fetch the pictures after they have answered.
  await expect.poll(jobState).toContain('"downloaded_bytes":17')
  expect(await containerState()).toContain('IN_PROGRESS')
  expect(await jobState()).toContain('PROCESSING_DOWNLOAD')
  expect(await mediaState()).toContain('in_progress')
  await expect
    .poll(async () => {
      await simulator.control('/clock', { advanceMs: 60_000 })
      return containerState()
    })
    .toContain('ERROR')
  expect(await jobState()).toMatch(/FAILED.*"fail_reason":"internal"/)
  expect(await mediaState()).toContain('failed')
  const withMedia = { text: 'film', media: { media_ids: [id] } }
  expect((await simulator.request('/x/2/tweets', { token: x.token, json: withMedia })).status).toBe(400)
  expect(toList(await simulator.posts())).toEqual([])
})
