import { expect, test } from 'vitest'
import { valueAt, toList, startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'
import { showLittleText } from './show-little-text.ts'

const headers = { 'LinkedIn-Version': '202609', 'X-Restli-Protocol-Version': '2.0.0' }
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const pdf = new TextEncoder().encode('%PDF-1.7 bells')

async function setUp(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token, id: urn, refresh } = await simulator.openAccount('linkedin', handle)
  const request = (path: string, json?: unknown, method?: string) =>
    simulator.request(`/linkedin/rest${path}`, {
      token,
      headers,
      ...(json === undefined ? {} : { json }),
      ...(method ? { method } : {}),
    })
  const body = (commentary: string, content?: object) => ({
    author: urn,
    commentary,
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    ...(content ? { content } : {}),
  })
  const upload = async (kind: string, bytes: Uint8Array<ArrayBuffer>) => {
    const made = await request(`/${kind}s?action=initializeUpload`, { initializeUploadRequest: { owner: urn } })
    const address = textAt(made.body, 'value', 'uploadUrl').slice(simulator.url.length)
    expect((await simulator.request(address, { token, method: 'PUT', body: bytes })).status).toBe(201)
    return textAt(made.body, 'value', kind)
  }
  return { simulator, token, urn, refresh, request, body, upload, [Symbol.asyncDispose]: simulator[Symbol.asyncDispose] }
}

test('a page publishes, reads, comments on, measures and deletes a post', async () => {
  await using setup = await setUp('company-bells')
  const { simulator, urn, request, body } = setup
  expect(urn).toMatch(/^urn:li:organization:\d+$/)
  const made = await request('/posts', body('hello'))
  const id = made.headers.get('x-restli-id') ?? ''
  expect(made).toMatchObject({ status: 201, text: '' })
  expect(id).toMatch(/^urn:li:share:\d{19}$/)
  const listed = await request(`/posts?q=author&author=${encodeURIComponent(urn)}`)
  expect(toList(valueAt(listed.body, 'elements'))).toMatchObject([{ id, commentary: 'hello', author: urn }])
  const comments = `/socialActions/${encodeURIComponent(id)}/comments`
  const filter = `organizationalEntity=${encodeURIComponent(urn)}&shares=List(${encodeURIComponent(id)})`
  const statistics = `/organizationalEntityShareStatistics?q=organizationalEntity&${filter}`
  expect((await request(statistics)).body).toMatchObject({ elements: [] })
  const comment = await request(comments, { actor: urn, object: id, message: { text: 'first' } })
  expect(comment).toMatchObject({ status: 201, body: { commentUrn: expect.stringContaining(id) } })
  expect(toList(valueAt((await request(comments)).body, 'elements'))).toMatchObject([{ message: { text: 'first' } }])
  expect((await request(statistics)).body).toMatchObject({ elements: [{ share: id, totalShareStatistics: { commentCount: 1 } }] })
  for (const _ of [1, 2]) expect((await request(`/posts/${encodeURIComponent(id)}`, undefined, 'DELETE')).status).toBe(204)
  expect(await simulator.posts('?text=hello')).toMatchObject([{ deleted: true }])
})

test('a manager publishes as a person or as one of two pages, and as no other account', async () => {
  await using setup = await setUp('manager-bells')
  const { simulator, token, urn, request, body } = setup
  expect(urn).toMatch(/^urn:li:person:/)
  const roles = await request('/organizationAcls?q=roleAssignee&state=APPROVED')
  const pages = toList(valueAt(roles.body, 'elements')).map((role) => textAt(role, 'organization'))
  expect(toList(valueAt(roles.body, 'elements'))).toMatchObject([{ roleAssignee: urn }, { roleAssignee: urn }])
  const named = await Promise.all(pages.map((page) => request(`/organizations/${page.split(':').at(-1)}`)))
  expect(named.map((page) => valueAt(page.body, 'vanityName'))).toEqual(['company-bells', 'company-bells-shop'])

  const [page = ''] = pages
  expect((await request('/posts', { ...body('from the page'), author: page })).status).toBe(201)
  expect((await request('/posts', body('from the person'))).status).toBe(201)
  const stranger = await simulator.openAccount('linkedin', 'company-strangers')
  expect((await request('/posts', { ...body('no'), author: stranger.id })).status).toBe(403)
  const address = `/linkedin/rest/posts?q=author&author=${encodeURIComponent(page)}`
  expect(toList(valueAt((await simulator.request(address, { token, headers })).body, 'elements'))).toMatchObject([
    { author: page },
  ])
  expect((await simulator.request(address, { token: stranger.token, headers })).status).toBe(403)
  expect(await simulator.posts()).toMatchObject([{ handle: 'company-bells' }, { handle: 'manager-bells' }])
})

test('the posts of a member cannot be read, but a duplicate is refused with the id of the first post', async () => {
  await using setup = await setUp()
  const { simulator, urn, request, body } = setup
  const id = (await request('/posts', body('same'))).headers.get('x-restli-id')
  expect((await request(`/posts?q=author&author=${encodeURIComponent(urn)}`)).status).toBe(403)
  expect(await request('/posts', body('same'))).toMatchObject({
    status: 422,
    body: { code: 'DUPLICATE_POST', message: `Content is a duplicate of ${id}` },
  })
  await simulator.control('/clock', { advanceMs: 600_000 })
  expect((await request('/posts', body('same'))).status).toBe(201)
})

test.each([
  ['plain', 'Bells', 'Bells'],
  ['escaped characters are literal', 'a \\(b\\) \\_c\\_ \\#d \\\\', 'a (b) _c_ #d \\'],
  ['an unescaped bracket truncates the text', 'before (after)', 'before '],
  ['both forms of hashtags', '#bells and {hashtag|\\#|towers\\_old}', '#bells and #towers_old'],
  ['a mention', 'by @[Bell Makers](urn:li:organization:123)', 'by Bell Makers'],
])('little text: %s', (_, commentary, shown) => {
  expect(showLittleText(commentary)).toBe(shown)
})

test('errors have the documented codes', async () => {
  await using setup = await setUp()
  const { simulator, token, request, body, urn } = setup
  const send = (changed: Record<string, string>) =>
    simulator.request('/linkedin/rest/posts', { token, json: body('x'), headers: { ...headers, ...changed } })
  expect(await send({ 'LinkedIn-Version': '' })).toMatchObject({ status: 400, body: { code: 'VERSION_MISSING' } })
  expect(await send({ 'LinkedIn-Version': '202401' })).toMatchObject({ status: 426, body: { code: 'NONEXISTENT_VERSION' } })
  expect((await request('/posts', body('a'.repeat(3000)))).status).toBe(201)
  expect(await request('/posts', body('a'.repeat(3001)))).toMatchObject({ status: 400, body: { code: 'FIELD_LENGTH_TOO_LONG' } })
  expect((await request('/posts', { ...body('x'), author: 'urn:li:person:else' })).status).toBe(403)
  expect((await request('/posts', { ...body('x'), lifecycleState: 'DRAFT' })).status).toBe(400)
  const waiting = await request('/images?action=initializeUpload', { initializeUploadRequest: { owner: urn } })
  expect(await request('/posts', body('x', { media: { id: textAt(waiting.body, 'value', 'image') } }))).toMatchObject({
    body: { code: 'MEDIA_ASSET_WAITING_UPLOAD' },
  })
  await simulator.control('/settings', { platform: 'linkedin', limits: { requests: { max: 1 } } })
  expect((await request('/posts', body('x'))).status).toBe(429)
  await simulator.control('/tokens/expire', { platform: 'linkedin', handle: 'alice' })
  expect(await request('/posts', body('x'))).toMatchObject({ status: 401, body: { serviceErrorCode: 65602 } })
})

test('an article has a title and a picture of the same owner', async () => {
  await using setup = await setUp()
  const { simulator, request, body, upload } = setup
  const source = 'https://example.com/'
  const send = (article: object) => request('/posts', body('x', { article: { source, title: 'Bells', ...article } }))
  expect((await send({ title: '' })).status).toBe(400)
  expect(await send({ title: 'a'.repeat(401) })).toMatchObject({ body: { code: 'FIELD_LENGTH_TOO_LONG' } })
  expect(await send({ description: 'a'.repeat(4086) })).toMatchObject({ body: { code: 'FIELD_LENGTH_TOO_LONG' } })
  expect(await send({ thumbnail: 'urn:li:image:none' })).toMatchObject({ body: { code: 'INVALID_IMAGE_ID' } })
  expect(await send({ thumbnail: await upload('document', pdf) })).toMatchObject({ body: { code: 'INVALID_IMAGE_ID' } })
  const stranger = await simulator.openAccount('linkedin', 'company-strangers')
  const initialize = { initializeUploadRequest: { owner: stranger.id } }
  const path = '/linkedin/rest/images?action=initializeUpload'
  const foreign = await simulator.request(path, { token: stranger.token, json: initialize, headers })
  expect((await send({ thumbnail: textAt(foreign.body, 'value', 'image') })).status).toBe(403)
  const thumbnail = await upload('image', png)
  const texts = { title: 'a'.repeat(400), description: 'a'.repeat(4085) }
  expect((await send({ ...texts, thumbnail })).status).toBe(201)
  expect(await simulator.posts()).toMatchObject([{ media: [], link: { url: source, ...texts, picture: thumbnail } }])
})

test('images and documents are uploaded in one request, a video in parts', async () => {
  await using setup = await setUp()
  const { simulator, urn, request, body, upload } = setup
  const images = [await upload('image', png), await upload('image', png)]
  expect((await request(`/images/${encodeURIComponent(images[0] ?? '')}`)).status).toBe(403)
  expect(
    (await request('/posts', body('two', { multiImage: { images: images.map((id) => ({ id, altText: 'a bell' })) } }))).status,
  ).toBe(201)
  expect((await request('/posts', body('one', { multiImage: { images: [{ id: images[0] }] } }))).status).toBe(400)
  const document = await upload('document', pdf)
  expect((await request('/posts', body('untitled', { media: { id: document } }))).status).toBe(400)
  expect((await request('/posts', body('titled', { media: { id: document, title: 'Bells' } }))).status).toBe(201)

  const size = 4_194_304 + 100
  const videoBytes = Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(size - 12)])
  const made = await request('/videos?action=initializeUpload', { initializeUploadRequest: { owner: urn, fileSizeBytes: size } })
  const etags: string[] = []
  for (const part of toList(valueAt(made.body, 'value', 'uploadInstructions'))) {
    const bytes = videoBytes.subarray(Number(valueAt(part, 'firstByte')), Number(valueAt(part, 'lastByte')) + 1)
    const sent = await simulator.request(textAt(part, 'uploadUrl').slice(simulator.url.length), {
      method: 'PUT',
      body: new Uint8Array(bytes),
    })
    etags.push(sent.headers.get('etag') ?? '')
  }
  const video = textAt(made.body, 'value', 'video')
  const finalizeUploadRequest = { video, uploadToken: textAt(made.body, 'value', 'uploadToken'), uploadedPartIds: etags }
  expect((await request('/videos?action=finalizeUpload', { finalizeUploadRequest })).status).toBe(200)
  expect((await request(`/videos/${encodeURIComponent(video)}`)).body).toMatchObject({ status: 'PROCESSING' })
  expect((await request('/posts', body('film', { media: { id: video } }))).status).toBe(400)
  await simulator.control('/clock', { advanceMs: 1000 })
  expect((await request('/posts', body('film', { media: { id: video } }))).headers.get('x-restli-id')).toContain('ugcPost')
  expect(await simulator.posts()).toMatchObject([
    { media: [{ alt: 'a bell' }, { alt: 'a bell' }] },
    { media: [{ alt: 'Bells' }] },
    {},
  ])
})

test('refreshing does not extend the refresh token, and ids are the same after a restart', async () => {
  await using setup = await setUp()
  const { simulator, refresh, urn } = setup
  const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'app', client_secret: 'secret' }
  await simulator.control('/clock', { advanceMs: 340 * 86_400_000 })
  const next = await simulator.request('/linkedin/oauth/v2/accessToken', { form })
  expect(next.body).toMatchObject({ refresh_token: refresh, expires_in: 25 * 86_400, refresh_token_expires_in: 25 * 86_400 })
  await using later = await setUp()
  expect(later.urn).toBe(urn)
})
