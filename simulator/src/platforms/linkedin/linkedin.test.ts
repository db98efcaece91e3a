import { expect, test } from 'vitest'
import { at, list, openTestWorld, text } from '../../../test/start-test-simulator.ts'
import { showLittleText } from './show-little-text.ts'

const headers = { 'LinkedIn-Version': '202609', 'X-Restli-Protocol-Version': '2.0.0' }
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const pdf = new TextEncoder().encode('%PDF-1.7 bells')

async function open(handle = 'alice') {
  const world = await openTestWorld()
  const { token, id: urn, refresh } = await world.join('linkedin', handle)
  const ask = (path: string, json?: unknown, method?: string) =>
    world.ask(`/linkedin/rest${path}`, {
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
    const made = await ask(`/${kind}s?action=initializeUpload`, { initializeUploadRequest: { owner: urn } })
    const address = text(made.body, 'value', 'uploadUrl').slice(world.url.length)
    expect((await world.ask(address, { token, method: 'PUT', body: bytes })).status).toBe(201)
    return text(made.body, 'value', kind)
  }
  return { world, token, urn, refresh, ask, body, upload, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
}

test('a page posts, reads back, comments, is measured and deletes', async () => {
  await using scene = await open('company-bells')
  const { world, urn, ask, body } = scene
  expect(urn).toMatch(/^urn:li:organization:\d+$/)
  const made = await ask('/posts', body('hello'))
  const id = made.headers.get('x-restli-id') ?? ''
  expect(made).toMatchObject({ status: 201, text: '' })
  expect(id).toMatch(/^urn:li:share:\d{19}$/)
  const listed = await ask(`/posts?q=author&author=${encodeURIComponent(urn)}`)
  expect(list(at(listed.body, 'elements'))).toMatchObject([{ id, commentary: 'hello', author: urn }])
  const comments = `/socialActions/${encodeURIComponent(id)}/comments`
  const statistics = `/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${encodeURIComponent(urn)}&shares=List(${encodeURIComponent(id)})`
  expect((await ask(statistics)).body).toMatchObject({ elements: [] })
  const comment = await ask(comments, { actor: urn, object: id, message: { text: 'first' } })
  expect(comment).toMatchObject({ status: 201, body: { commentUrn: expect.stringContaining(id) } })
  expect(list(at((await ask(comments)).body, 'elements'))).toMatchObject([{ message: { text: 'first' } }])
  expect((await ask(statistics)).body).toMatchObject({ elements: [{ share: id, totalShareStatistics: { commentCount: 1 } }] })
  for (const _ of [1, 2]) expect((await ask(`/posts/${encodeURIComponent(id)}`, undefined, 'DELETE')).status).toBe(204)
  expect(await world.posts('?text=hello')).toMatchObject([{ deleted: true }])
})

test('a manager posts as a person or as one of two pages, and as nobody else', async () => {
  await using scene = await open('manager-bells')
  const { world, token, urn, ask, body } = scene
  expect(urn).toMatch(/^urn:li:person:/)
  const roles = await ask('/organizationAcls?q=roleAssignee&state=APPROVED')
  const pages = list(at(roles.body, 'elements')).map((role) => text(role, 'organization'))
  expect(list(at(roles.body, 'elements'))).toMatchObject([{ roleAssignee: urn }, { roleAssignee: urn }])
  const named = await Promise.all(pages.map((page) => ask(`/organizations/${page.split(':').at(-1)}`)))
  expect(named.map((page) => at(page.body, 'vanityName'))).toEqual(['company-bells', 'company-bells-shop'])

  const [page = ''] = pages
  expect((await ask('/posts', { ...body('from the page'), author: page })).status).toBe(201)
  expect((await ask('/posts', body('from the person'))).status).toBe(201)
  const stranger = await world.join('linkedin', 'company-strangers')
  expect((await ask('/posts', { ...body('no'), author: stranger.id })).status).toBe(403)
  const address = `/linkedin/rest/posts?q=author&author=${encodeURIComponent(page)}`
  expect(list(at((await world.ask(address, { token, headers })).body, 'elements'))).toMatchObject([{ author: page }])
  expect((await world.ask(address, { token: stranger.token, headers })).status).toBe(403)
  expect(await world.posts()).toMatchObject([{ handle: 'company-bells' }, { handle: 'manager-bells' }])
})

test('what a member posted cannot be read back, but its repeat is refused by name', async () => {
  await using scene = await open()
  const { world, urn, ask, body } = scene
  const id = (await ask('/posts', body('same'))).headers.get('x-restli-id')
  expect((await ask(`/posts?q=author&author=${encodeURIComponent(urn)}`)).status).toBe(403)
  expect(await ask('/posts', body('same'))).toMatchObject({
    status: 422,
    body: { code: 'DUPLICATE_POST', message: `Content is a duplicate of ${id}` },
  })
  await world.control('/clock', { advanceMs: 600_000 })
  expect((await ask('/posts', body('same'))).status).toBe(201)
})

test.each([
  ['plain', 'Bells', 'Bells'],
  ['escaped signs stand for themselves', 'a \\(b\\) \\_c\\_ \\#d \\\\', 'a (b) _c_ #d \\'],
  ['a bare bracket cuts the text', 'before (after)', 'before '],
  ['hashtags, both ways', '#bells and {hashtag|\\#|towers\\_old}', '#bells and #towers_old'],
  ['a mention', 'by @[Bell Makers](urn:li:organization:123)', 'by Bell Makers'],
])('little text: %s', (_, commentary, shown) => {
  expect(showLittleText(commentary)).toBe(shown)
})

test('refusals carry codes', async () => {
  await using scene = await open()
  const { world, token, ask, body, urn } = scene
  const send = (changed: Record<string, string>) =>
    world.ask('/linkedin/rest/posts', { token, json: body('x'), headers: { ...headers, ...changed } })
  expect(await send({ 'LinkedIn-Version': '' })).toMatchObject({ status: 400, body: { code: 'VERSION_MISSING' } })
  expect(await send({ 'LinkedIn-Version': '202401' })).toMatchObject({ status: 426, body: { code: 'NONEXISTENT_VERSION' } })
  expect((await ask('/posts', body('a'.repeat(3000)))).status).toBe(201)
  expect(await ask('/posts', body('a'.repeat(3001)))).toMatchObject({ status: 400, body: { code: 'FIELD_LENGTH_TOO_LONG' } })
  expect((await ask('/posts', { ...body('x'), author: 'urn:li:person:else' })).status).toBe(403)
  expect((await ask('/posts', { ...body('x'), lifecycleState: 'DRAFT' })).status).toBe(400)
  const waiting = await ask('/images?action=initializeUpload', { initializeUploadRequest: { owner: urn } })
  expect(await ask('/posts', body('x', { media: { id: text(waiting.body, 'value', 'image') } }))).toMatchObject({
    body: { code: 'MEDIA_ASSET_WAITING_UPLOAD' },
  })
  await world.control('/settings', { platform: 'linkedin', limits: { requests: { max: 1 } } })
  expect((await ask('/posts', body('x'))).status).toBe(429)
  await world.control('/tokens/expire', { platform: 'linkedin', handle: 'alice' })
  expect(await ask('/posts', body('x'))).toMatchObject({ status: 401, body: { serviceErrorCode: 65602 } })
})

test('images and documents are uploaded whole, a video in parts', async () => {
  await using scene = await open()
  const { world, urn, ask, body, upload } = scene
  const images = [await upload('image', png), await upload('image', png)]
  expect((await ask(`/images/${encodeURIComponent(images[0] ?? '')}`)).status).toBe(403)
  expect(
    (await ask('/posts', body('two', { multiImage: { images: images.map((id) => ({ id, altText: 'a bell' })) } }))).status,
  ).toBe(201)
  expect((await ask('/posts', body('one', { multiImage: { images: [{ id: images[0] }] } }))).status).toBe(400)
  const document = await upload('document', pdf)
  expect((await ask('/posts', body('untitled', { media: { id: document } }))).status).toBe(400)
  expect((await ask('/posts', body('titled', { media: { id: document, title: 'Bells' } }))).status).toBe(201)

  const size = 4_194_304 + 100
  const film = Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(size - 12)])
  const made = await ask('/videos?action=initializeUpload', { initializeUploadRequest: { owner: urn, fileSizeBytes: size } })
  const etags: string[] = []
  for (const part of list(at(made.body, 'value', 'uploadInstructions'))) {
    const bytes = film.subarray(Number(at(part, 'firstByte')), Number(at(part, 'lastByte')) + 1)
    const sent = await world.ask(text(part, 'uploadUrl').slice(world.url.length), { method: 'PUT', body: new Uint8Array(bytes) })
    etags.push(sent.headers.get('etag') ?? '')
  }
  const video = text(made.body, 'value', 'video')
  const finalizeUploadRequest = { video, uploadToken: text(made.body, 'value', 'uploadToken'), uploadedPartIds: etags }
  expect((await ask('/videos?action=finalizeUpload', { finalizeUploadRequest })).status).toBe(200)
  expect((await ask(`/videos/${encodeURIComponent(video)}`)).body).toMatchObject({ status: 'PROCESSING' })
  expect((await ask('/posts', body('film', { media: { id: video } }))).status).toBe(400)
  await world.control('/clock', { advanceMs: 1000 })
  expect((await ask('/posts', body('film', { media: { id: video } }))).headers.get('x-restli-id')).toContain('ugcPost')
  expect(await world.posts()).toMatchObject([
    { media: [{ alt: 'a bell' }, { alt: 'a bell' }] },
    { media: [{ alt: 'Bells' }] },
    {},
  ])
})

test('a refresh keeps its day of death, and ids survive a restart', async () => {
  await using scene = await open()
  const { world, refresh, urn } = scene
  const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'app', client_secret: 'secret' }
  await world.control('/clock', { advanceMs: 340 * 86_400_000 })
  const next = await world.ask('/linkedin/oauth/v2/accessToken', { form })
  expect(next.body).toMatchObject({ refresh_token: refresh, expires_in: 25 * 86_400, refresh_token_expires_in: 25 * 86_400 })
  await using later = await open()
  expect(later.urn).toBe(urn)
})
