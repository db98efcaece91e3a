import { expect, test } from 'vitest'
import { signJwt } from '../../../test/sign-jwt.ts'
import { startTestSimulator, textAt, valueAt, type RequestOptions } from '../../../test/start-test-simulator.ts'

const api = '/ghost/ghost/api/admin'

async function openSite(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('ghost', handle)
  const authorization = `Ghost ${signJwt(token)}`
  const call = (path: string, { headers, ...options }: RequestOptions = {}) =>
    simulator.request(api + path, { ...options, headers: { authorization, ...headers } })
  const publish = (post: object) => call('/posts/?source=html', { json: { posts: [{ status: 'published', ...post }] } })
  return { simulator, token, call, publish, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const errorOf = async (answer: Promise<{ status: number; body: unknown }>, field = 'type') => {
  const { status, body } = await answer
  return [status, valueAt(body, 'errors', 0, field)]
}

test('a post has its text, its title and the address of its page, and is deleted with an empty answer', async () => {
  await using site = await openSite()
  const html = '<p>Bells &amp; <a href="https://a.example">towers</a></p><p>two<br>lines</p>'
  const { status, body } = await site.publish({ title: 'On bells', html, slug: 'on-bells', tags: ['Bells', { name: 'Towers' }] })
  expect([status, valueAt(body, 'posts', 0, 'status')]).toEqual([201, 'published'])
  const [post] = await site.simulator.posts('?platform=ghost')
  expect(post).toMatchObject({ text: 'Bells & towers\n\ntwo\nlines', options: { tags: 'Bells, Towers' } })
  const page = await site.simulator.request(new URL(textAt(body, 'posts', 0, 'url')).pathname)
  expect(page.text).toContain('On bells')
  const path = `/posts/${textAt(body, 'posts', 0, 'id')}/`
  expect(await site.call(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
  expect(await errorOf(site.call(path, { method: 'DELETE' }))).toEqual([404, 'NotFoundError'])
})

test('HTML is read only if the query says so, and a post without a title is refused', async () => {
  await using site = await openSite()
  const json = { posts: [{ title: 'x', html: '<p>bells</p>', status: 'published' }] }
  expect((await site.call('/posts/', { json })).status).toBe(201)
  expect(await site.simulator.posts('?platform=ghost')).toMatchObject([{ text: '' }])
  expect(await errorOf(site.publish({ html: '<p>bells</p>' }))).toEqual([422, 'ValidationError'])
  expect(await errorOf(site.call('/posts/', { json: {} }))).toEqual([422, 'ValidationError'])
})

test.each([
  ['title', 255],
  ['custom_excerpt', 300],
  ['feature_image_alt', 191],
])('%s has a limit', async (field, max) => {
  await using site = await openSite()
  expect((await site.publish({ title: 'x', [field]: 'a'.repeat(max) })).status).toBe(201)
  expect(await errorOf(site.publish({ title: 'x', [field]: 'a'.repeat(max + 1) }), 'property')).toEqual([422, field])
})

test('a slug that is taken gets a number, and a post is found by its slug', async () => {
  await using site = await openSite()
  await site.publish({ title: 'One', slug: 'bells' })
  const { body } = await site.publish({ title: 'Two', slug: 'bells' })
  expect(textAt(body, 'posts', 0, 'slug')).toBe('bells-2')
  const found = await site.call("/posts/?filter=slug:'bells-2'&fields=id,url")
  expect(valueAt(found.body, 'posts')).toEqual([{ id: textAt(body, 'posts', 0, 'id'), url: textAt(body, 'posts', 0, 'url') }])
  expect(valueAt((await site.call('/posts/?filter=slug:nothing')).body, 'posts')).toEqual([])
  expect(await errorOf(site.call('/posts/?filter=(('))).toEqual([400, 'BadRequestError'])
})

test('each kind of file has an address of its own, and cards show them', async () => {
  await using site = await openSite()
  const upload = (kind: string, type: string, filename: string) => {
    const body = new FormData()
    body.set('file', new Blob(['x'], { type }), filename)
    return site.call(`/${kind}/upload/`, { body })
  }
  const urlOf = async (kind: string, type: string, filename: string) =>
    textAt((await upload(kind, type, filename)).body, kind, 0, 'url')
  const image = await urlOf('images', 'image/png', 'bell.png')
  const video = await urlOf('media', 'video/mp4', 'bell.mp4')
  const pdf = await urlOf('files', 'application/pdf', 'bells.pdf')
  expect(await errorOf(upload('images', 'image/png', 'bell.php'))).toEqual([415, 'UnsupportedMediaTypeError'])
  expect(await errorOf(upload('media', 'video/quicktime', 'bell.mov'))).toEqual([415, 'UnsupportedMediaTypeError'])
  const html = [
    `<figure class="kg-card kg-gallery-card"><img src="${image}" width="4" height="3" alt="One"><img src="${image}" alt="Unseen"></figure>`,
    `<figure class="kg-card kg-video-card"><div class="kg-video-container"><video src="${video}"></video></div></figure>`,
    `<div class="kg-card kg-file-card"><a href="${pdf}"><div><div class="kg-file-card-title">On bells</div></div></a></div><p>bells</p>`,
  ].join('')
  await site.publish({ title: 'x', html, feature_image: image, feature_image_alt: 'First' })
  expect(await site.simulator.posts('?platform=ghost')).toMatchObject([
    { text: 'bells', media: [{ alt: 'First' }, { alt: 'One' }, { mime: 'video/mp4' }, { alt: 'On bells' }] },
  ])
})

test('a token is signed with the bytes of the secret, names its key, and is valid for five minutes', async () => {
  await using site = await openSite()
  const codeOf = (authorization: string) => errorOf(site.call('/posts/', { headers: { authorization } }), 'code')
  const { token } = site
  const [kid, hex = ''] = token.split(':')
  expect(await codeOf(`Ghost ${signJwt(token, { secret: Buffer.from(hex) })}`)).toEqual([401, 'INVALID_JWT'])
  expect(await codeOf(`Ghost ${signJwt(token, { atMs: Date.now() - 301_000 })}`)).toEqual([401, 'INVALID_JWT'])
  expect(await codeOf(`Ghost ${signJwt(token, { header: { alg: 'none', kid } })}`)).toEqual([401, 'INVALID_JWT'])
  expect(await codeOf(`Ghost ${signJwt(token, { header: { alg: 'HS256' } })}`)).toEqual([400, 'MISSING_ADMIN_API_KID'])
  expect(await codeOf(`Ghost ${signJwt(`${'0'.repeat(24)}:${hex}`)}`)).toEqual([401, 'UNKNOWN_ADMIN_API_KEY'])
  expect(await codeOf(`Bearer ${token}`)).toEqual([401, 'INVALID_AUTH_HEADER'])
  expect(await errorOf(site.simulator.request(`${api}/posts/`))).toEqual([403, 'NoPermissionError'])
  await using small = await openSite('starter-stella')
  expect(await errorOf(small.call('/posts/'))).toEqual([403, 'HostLimitError'])
})

test('what a site is called is told to everybody', async () => {
  await using site = await openSite()
  expect(valueAt((await site.simulator.request(`${api}/site/`)).body, 'site', 'title')).toBe('Bells & Towers')
  expect(valueAt((await site.call('/site/')).body, 'site', 'url')).toBe('https://alice.ghost.example/')
})
