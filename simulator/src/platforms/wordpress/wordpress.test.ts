import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt, type RequestOptions } from '../../../test/start-test-simulator.ts'

const api = '/wordpress/wp-json/wp/v2'

async function openSite(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('wordpress', handle)
  const call = (path: string, { headers, ...options }: RequestOptions = {}) =>
    simulator.request(api + path, { ...options, headers: { authorization: `Basic ${token}`, ...headers } })
  const publish = (json: object) => call('/posts', { json: { status: 'publish', ...json } })
  return { simulator, token, call, publish, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const codeOf = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  return [status, valueAt(body, 'code')]
}

test('a post has its text, its title and the link to its page, and is deleted for good', async () => {
  await using site = await openSite()
  const content =
    '<!-- wp:paragraph -->\n<p>Bells &amp; <a href="https://a.example">towers</a></p>\n<!-- /wp:paragraph --><p>two<br>lines</p>'
  const { status, body } = await site.publish({ title: 'On bells', content, slug: 'on-bells' })
  expect(status).toBe(201)
  expect(body).toMatchObject({ slug: 'on-bells', status: 'publish', date_gmt: expect.stringMatching(/^[\dT:-]{19}$/) })
  expect(await site.simulator.posts('?platform=wordpress')).toMatchObject([{ text: 'Bells & towers\n\ntwo\nlines' }])
  const page = await site.simulator.request(new URL(textAt(body, 'link')).pathname)
  expect(page.text).toContain('On bells')
  const path = `/posts/${Number(valueAt(body, 'id'))}?force=true`
  expect((await site.call(path, { method: 'DELETE' })).body).toMatchObject({ deleted: true })
  expect(await codeOf(site.call(path, { method: 'DELETE' }))).toEqual([404, 'rest_post_invalid_id'])
})

test('what looks like a shortcode is carried out, unless its bracket is escaped', async () => {
  await using site = await openSite()
  await site.publish({ content: '<p>a [gallery ids="1"]b</p>' })
  await site.publish({ content: '<p>a &#91;gallery&#93; b</p>' })
  const posts = await site.simulator.posts('?platform=wordpress')
  expect(posts.map((post) => valueAt(post, 'text'))).toEqual(['a b', 'a [gallery] b'])
})

test('a slug that is taken gets a number, and a post is found by its slug', async () => {
  await using site = await openSite()
  await site.publish({ title: 'One', slug: 'bells' })
  const { body } = await site.publish({ title: 'Two', slug: 'bells' })
  expect(valueAt(body, 'slug')).toBe('bells-2')
  const found = await site.call('/posts?slug=bells-2&status=any&context=edit')
  expect(found.body).toMatchObject([{ id: valueAt(body, 'id') }])
  expect((await site.call('/posts?slug=nothing&status=any')).body).toEqual([])
})

test('files are uploaded as a form or as the body itself, and only with an ending that fits', async () => {
  await using site = await openSite()
  const form = new FormData()
  form.set('alt_text', 'A <b>bronze</b>\n bell')
  form.set('file', new Blob(['png'], { type: 'image/png' }), 'bell.png')
  const made = await site.call('/media', { body: form })
  expect([made.status, valueAt(made.body, 'alt_text')]).toEqual([201, 'A bronze bell'])
  const raw = (filename: string) =>
    site.call('/media', {
      body: new Uint8Array([1]),
      headers: { 'content-type': 'image/png', 'content-disposition': `attachment; filename="${filename}"` },
    })
  const other = await raw('bell.png')
  await site.call(`/media/${Number(valueAt(other.body, 'id'))}`, { json: { alt_text: 'Another bell' } })
  expect(await codeOf(raw('bell.php'))).toEqual([500, 'rest_upload_unknown_error'])
  const content = `<figure><img src="${textAt(other.body, 'source_url')}" alt="In the post"/></figure><p>bells</p>`
  await site.publish({ content, featured_media: valueAt(made.body, 'id') })
  expect(await site.simulator.posts('?platform=wordpress')).toMatchObject([
    { text: 'bells', media: [{ alt: 'A bronze bell' }, { alt: 'In the post' }] },
  ])
  expect(await codeOf(site.publish({ content: 'x', featured_media: 999 }))).toEqual([400, 'rest_invalid_featured_media'])
})

test('tags are made once, and names are answered as HTML', async () => {
  await using site = await openSite()
  const made = await site.call('/tags', { json: { name: 'Bells & towers' } })
  expect(made.body).toMatchObject({ name: 'Bells &amp; towers' })
  const again = await site.call('/tags', { json: { name: 'bells & towers' } })
  expect(again).toMatchObject({ status: 400, body: { code: 'term_exists', data: { term_id: valueAt(made.body, 'id') } } })
  expect((await site.call('/tags?search=bells&per_page=100')).body).toHaveLength(1)
  expect((await site.call('/categories?per_page=100')).body).toMatchObject([{}, { name: 'News' }, { name: 'Bells &amp; Towers' }])
  await site.publish({ title: 'x', tags: [valueAt(made.body, 'id')], categories: [2] })
  const [post] = await site.simulator.posts('?platform=wordpress')
  expect(valueAt(post, 'options')).toMatchObject({ tags: 'Bells & towers', categories: 'News' })
})

test('a comment is made once, and its written form is for moderators', async () => {
  await using site = await openSite()
  const { body } = await site.publish({ content: '<p>bells</p>' })
  const post = Number(valueAt(body, 'id'))
  const comment = () => site.call('/comments', { json: { post, content: "It's &lt;here&gt;" } })
  expect((await comment()).status).toBe(201)
  expect(await codeOf(comment())).toEqual([409, 'comment_duplicate'])
  const listed = await site.call(`/comments?post=${post}&context=edit&per_page=100`)
  expect(listed.body).toMatchObject([{ content: { raw: "It's &lt;here&gt;", rendered: expect.stringContaining('&#8217;') } }])
  const { token } = await site.simulator.openAccount('wordpress', 'author-bob')
  const headers = { authorization: `Basic ${token}` }
  const asAuthor = site.simulator.request(`${api}/comments?post=${post}&context=edit`, { headers })
  expect(await codeOf(asAuthor)).toEqual([403, 'rest_forbidden_context'])
  expect(await codeOf(site.call('/comments', { json: { post: 999, content: 'x' } }))).toEqual([
    403,
    'rest_comment_invalid_post_id',
  ])
})

test('what a person may not do is refused, and who they are is told', async () => {
  await using site = await openSite('contributor-carol')
  expect(await codeOf(site.publish({ title: 'x' }))).toEqual([403, 'rest_cannot_publish'])
  const me = await site.call('/users/me?context=edit')
  expect(valueAt(me.body, 'capabilities')).toEqual({ read: true, edit_posts: true, delete_posts: true })
  expect(await codeOf(site.simulator.request(`${api}/users/me`))).toEqual([401, 'rest_not_logged_in'])
  const wrong = { authorization: `Basic ${Buffer.from('alice:nothing').toString('base64')}` }
  expect(await codeOf(site.simulator.request(`${api}/users/me`, { headers: wrong }))).toEqual([401, 'incorrect_password'])
})

test('an application password works as it is shown, in groups', async () => {
  await using site = await openSite()
  const [user, password = ''] = Buffer.from(site.token, 'base64').toString().split(':')
  const grouped = Buffer.from(`${user}:${password.replaceAll(/(.{4})/g, '$1 ')}`).toString('base64')
  expect((await site.call('/users/me', { headers: { authorization: `Basic ${grouped}` } })).status).toBe(200)
})
