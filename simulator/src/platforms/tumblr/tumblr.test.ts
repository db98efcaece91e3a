import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

async function openBlog(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, refresh, id } = await simulator.openAccount('tumblr', handle)
  const call = (path: string, options: object = {}) => simulator.request(`/tumblr/v2${path}`, { token, ...options })
  const post = (json: object, blog = id) => call(`/blog/${blog}/posts`, { json })
  return { simulator, refresh, id, call, post, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

type Answer = { status: number; body: unknown }
const codeOf = ({ status, body }: Answer) => [status, valueAt(body, 'errors', 0, 'code')]
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })

function withFiles(content: object[], files: Record<string, { type: string; bytes: number }>) {
  const body = new FormData()
  body.append('json', JSON.stringify({ content }))
  for (const [name, { type, bytes }] of Object.entries(files))
    body.append(name, new Blob([new Uint8Array(bytes)], { type }), name)
  return body
}

const video = (type = 'video/mp4') => withFiles([{ type: 'video', media: { type, identifier: 'v' } }], { v: { type, bytes: 10 } })

test('a post has a string as its id, a page, and is listed with blocks and a number as its id', async () => {
  await using blog = await openBlog()
  const content = [text('', {}), text('On bells', { subtype: 'heading1' }), text('One'), text(''), text('Two'), text('')]
  const { status, body } = await blog.post({ content, slug: 'on-bells', tags: '#bells, two words' })
  const id = textAt(body, 'response', 'id')
  expect([status, id]).toEqual([201, expect.stringMatching(/^\d{18}$/)])
  expect((await blog.simulator.request(`/tumblr/alice/${id}`)).text).toContain('On bells')
  const listed = await blog.call('/blog/alice.tumblr.com/posts?npf=true')
  expect(listed.text).toContain(`"id":${id},"id_string":"${id}"`)
  const [shown] = [valueAt(listed.body, 'response', 'posts', 0)]
  expect(shown).toMatchObject({ slug: 'on-bells', tags: ['bells', 'two words'], content: content.slice(1, 5) })
  expect(await blog.simulator.posts('?platform=tumblr')).toMatchObject([{ text: 'One\n\n\n\nTwo' }])
})

test('addresses in a list lead over a server of Tumblr', async () => {
  await using blog = await openBlog()
  const url = 'https://a.example/?b=1'
  const formatting = [{ start: 0, end: 2, type: 'link', url }]
  await blog.post({ content: [text('On bells', { formatting }), { type: 'link', url }] })
  const { body } = await blog.call(`/blog/${blog.id}/posts?npf=true`)
  const shown = textAt(body, 'response', 'posts', 0, 'content', 1, 'url')
  expect(shown).toMatch(/^https:\/\/t\.umblr\.com\/redirect\?z=/)
  expect(textAt(body, 'response', 'posts', 0, 'content', 0, 'formatting', 0, 'url')).toBe(shown)
})

test('what is not in the format is refused, and the limits are those of the specification', async () => {
  await using blog = await openBlog()
  const refused = async (content: unknown, more: object = {}) => codeOf(await blog.post({ content, ...more }))
  const bad = [400, 8001]
  expect(await refused('text')).toEqual(bad)
  expect(await refused([])).toEqual(bad)
  expect(await refused([text('')])).toEqual(bad)
  expect(await refused([text('🔔'.repeat(4097))])).toEqual(bad)
  expect(await refused([text('ab', { formatting: [{ start: 0, end: 3, type: 'bold' }] })])).toEqual(bad)
  expect(await refused([{ type: 'link', url: 'nowhere' }])).toEqual(bad)
  expect(await refused([{ type: 'image', media: [{ identifier: 'x' }] }])).toEqual(bad)
  expect(await refused([text('a')], { tags: 'a'.repeat(141) })).toEqual(bad)
  expect(await refused([text('a')], { tags: Array.from({ length: 31 }, (_, at) => at).join(',') })).toEqual(bad)
  expect(await refused([text('a')], { state: 'queued' })).toEqual(bad)
  expect(await refused([text('a')], { layout: [{ type: 'rows', display: [{ mode: { type: 'carousel' } }] }] })).toEqual([403, 0])
  expect((await blog.post({ content: [text('🔔'.repeat(4096))] })).status).toBe(201)
  const body = withFiles([{ type: 'image', media: [{ identifier: 'i' }] }], { i: { type: 'image/png', bytes: 10_000_001 } })
  expect(codeOf(await blog.call(`/blog/${blog.id}/posts`, { body }))).toEqual([400, 8005])
  const tiff = withFiles([{ type: 'image', media: [{ identifier: 'i' }] }], { i: { type: 'image/tiff', bytes: 10 } })
  expect(codeOf(await blog.call(`/blog/${blog.id}/posts`, { body: tiff }))).toEqual([400, 8005])
})

test('a video has another id once it is converted, and only one is converted at a time', async () => {
  await using blog = await openBlog()
  await blog.simulator.control('/settings', { platform: 'tumblr', processingMs: 60_000 })
  const send = (type?: string) => blog.call(`/blog/${blog.id}/posts`, { body: video(type) })
  const { body } = await send()
  expect(valueAt(body, 'response', 'state')).toBe('transcoding')
  expect(codeOf(await send())).toEqual([403, 8010])
  const list = async () => valueAt((await blog.call(`/blog/${blog.id}/posts`)).body, 'response', 'posts', 0)
  expect(await list()).toBeUndefined()
  await blog.simulator.control('/clock', { advanceMs: 60_000 })
  const firstId = textAt(body, 'response', 'id')
  expect(await list()).toMatchObject({ genesis_post_id: firstId })
  expect((await blog.simulator.request(`/tumblr/alice/${firstId}`)).status).toBe(404)
  expect(codeOf(await send('video/webm'))).toEqual([400, 8005])
  await blog.simulator.control('/settings', { platform: 'tumblr', processingFails: true })
  await send()
  await blog.simulator.control('/clock', { advanceMs: 60_000 })
  expect((await blog.simulator.posts('?platform=tumblr')).length).toBe(1)
})

test('the day of a person has limits of its own', async () => {
  await using blog = await openBlog()
  await blog.simulator.control('/settings', { platform: 'tumblr', limits: { posts: { max: 1 } } })
  const one = () => blog.post({ content: [text('a')] })
  expect((await one()).status).toBe(201)
  expect(codeOf(await one())).toEqual([403, 8023])
  await blog.simulator.control('/clock', { advanceMs: 86_400_000 })
  expect((await one()).status).toBe(401)
})

test('the calls of an app are limited, and headers count the seconds', async () => {
  await using blog = await openBlog()
  await blog.simulator.control('/settings', { platform: 'tumblr', limits: { hour: { max: 1 } } })
  await blog.call('/user/info')
  const { status, headers } = await blog.call('/user/info')
  expect([status, headers.get('x-ratelimit-perhour-remaining')]).toEqual([429, '0'])
  expect(Number(headers.get('x-ratelimit-perhour-reset'))).toBeGreaterThan(3500)
  expect(headers.get('retry-after')).toBeNull()
})

test('a token lives for 42 minutes, and a refresh token works once and for 42 days', async () => {
  await using blog = await openBlog()
  const renew = (refresh_token: string) =>
    blog.simulator.request('/tumblr/v2/oauth2/token', {
      form: { grant_type: 'refresh_token', refresh_token, client_id: 'a', client_secret: 'b' },
    })
  const minute = 60_000
  await blog.simulator.control('/clock', { advanceMs: 42 * minute })
  expect(codeOf(await blog.call('/user/info'))).toEqual([401, 1016])
  const first = await renew(blog.refresh)
  expect(first.body).toMatchObject({ expires_in: 2520, token_type: 'bearer' })
  expect((await renew(blog.refresh)).body).toMatchObject({ error: 'invalid_grant' })
  await blog.simulator.control('/clock', { advanceMs: 42 * 24 * 60 * minute })
  expect((await renew(textAt(first.body, 'refresh_token'))).status).toBe(401)
})

test('posts are written on own blogs only, and read on all', async () => {
  await using blog = await openBlog('writer-anna')
  const { body } = await blog.call('/user/info')
  const blogs = ['anna-sketches', 'anna'].map((name) => expect.objectContaining({ name, uuid: expect.stringMatching(/^t:/) }))
  expect(valueAt(body, 'response', 'user', 'blogs')).toEqual(blogs)
  await blog.simulator.openAccount('tumblr', 'bob')
  const content = [text('a')]
  expect((await blog.post({ content }, 'anna')).status).toBe(201)
  expect((await blog.post({ content }, 'bob')).status).toBe(403)
  expect((await blog.post({ content }, 'nobody')).status).toBe(404)
  expect((await blog.call('/blog/bob/posts')).status).toBe(200)
})
