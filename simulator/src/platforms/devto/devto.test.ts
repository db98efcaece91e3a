import { expect, test } from 'vitest'
import { startTestSimulator, textAt, valueAt, type RequestOptions } from '../../../test/start-test-simulator.ts'

async function openSite(handle = 'alice') {
  const simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('devto', handle)
  const call = (path: string, options: RequestOptions = {}) =>
    simulator.request(`/devto/api${path}`, { ...options, headers: { 'api-key': token } })
  const publish = (article: object) => call('/articles', { json: { article: { published: true, ...article } } })
  return { simulator, call, publish, [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose]() }
}

const said = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  return [status, valueAt(body, 'error')]
}

test('an article has an address, is listed for its author, and is taken back to a draft', async () => {
  await using site = await openSite()
  const { status, body } = await site.publish({ title: 'On bells', body_markdown: 'They **ring**.', tags: ['bells', 'Towers'] })
  expect([status, valueAt(body, 'tag_list')]).toEqual([201, ['bells', 'towers']])
  expect((await site.simulator.request(new URL(textAt(body, 'url')).pathname)).text).toContain('On bells')
  expect((await site.call('/articles/me/published')).body).toMatchObject([{ title: 'On bells', page_views_count: 0 }])
  const taken = await site.call(`/articles/${Number(valueAt(body, 'id'))}`, {
    method: 'PUT',
    json: { article: { published: false } },
  })
  expect(taken.body).toMatchObject({ published: false, published_at: null })
  expect((await site.call('/articles/me/published')).body).toEqual([])
  expect(await site.simulator.posts('?platform=devto')).toMatchObject([{ text: 'They **ring**.', deleted: true }])
})

test('the same title is refused for five minutes, and a canonical address among published articles', async () => {
  await using site = await openSite()
  const canonical_url = 'https://a.example/bells'
  await site.publish({ title: 'One', canonical_url })
  expect((await said(site.publish({ title: 'One' })))[1]).toContain('in the last five minutes')
  expect((await said(site.publish({ title: 'Two', canonical_url })))[1]).toContain('already been taken')
  expect((await site.publish({ title: 'Three', canonical_url, published: false })).status).toBe(201)
})

test('titles and tags have limits', async () => {
  await using site = await openSite()
  const refused = async (article: object) => (await said(site.publish({ title: 'x', ...article })))[0]
  expect(await refused({ title: ' ' })).toBe(422)
  expect(await refused({ title: 'a'.repeat(129) })).toBe(422)
  expect(await refused({ tags: ['a', 'b', 'c', 'd', 'e'] })).toBe(422)
  expect(await refused({ tags: ['two words'] })).toBe(422)
  expect(await refused({ title: 'a '.repeat(128) })).toBe(201)
})

test('what stands before the text between dashes wins over the fields', async () => {
  await using site = await openSite()
  const { body } = await site.publish({ title: 'One', body_markdown: '---\ntitle: Other\npublished: false\n---\ntext' })
  expect(body).toMatchObject({ title: 'Other', published: false })
})

test('a key that nobody has is refused, and ten articles in half a minute are enough', async () => {
  await using site = await openSite()
  expect((await site.simulator.request('/devto/api/users/me')).status).toBe(401)
  for (let n = 0; n < 10; n++) await site.publish({ title: `Number ${n}` })
  const { status, headers } = await site.publish({ title: 'Another' })
  expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
})
