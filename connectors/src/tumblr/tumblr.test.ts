import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  newText,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
} from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth, listBlogs } from './auth.ts'
import { splitText, writeContent } from './content.ts'
import { classify } from './errors.ts'
import { comparePost } from './find.ts'
import { tumblr } from './tumblr.ts'

testConnector(tumblr, simulate('tumblr', { paragraphMax: 4096 }))

describe('what only Tumblr does', () => {
  const platform = simulate('tumblr')
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(tumblr, platform, handle)

  test('a person chooses among their blogs, the primary one first, and the post is on that one', async () => {
    const writer = await open('writer-anna')
    const blogs = (await auth.targets?.(writer.client.http)) ?? []
    expect(blogs.map(({ handle }) => handle)).toEqual(['anna', 'anna-sketches'])
    const [, sketches] = blogs
    const client = { ...writer.client, account: { id: sketches?.id ?? '', handle: 'anna-sketches' } }
    const text = newText()
    const outcome = await publish({ ...writer, client }, draftFor(writer, { text }))
    expect(outcome).toMatchObject({ postUrl: expect.stringContaining('/anna-sketches/') })
    expect((await platform.posts('anna-sketches')).map((post) => post.text)).toEqual([text])
    expect(await tumblr.account(client)).toEqual({ ...sketches, followers: expect.any(Number) })
  })

  test('a blog on which the person may not post any more is gone, and one without a title has its name', async () => {
    const account = await open('plain-untitled')
    expect(await tumblr.account(account.client)).toMatchObject({ displayName: 'plain-untitled' })
    const other = { ...account.client, account: { id: 't:somewhere', handle: 'somewhere' } }
    await expect(tumblr.account(other)).rejects.toMatchObject({ kind: 'gone' })
    expect(await listBlogs(account.client.http)).toHaveLength(1)
  })

  /** Guarantee: a lost answer is found by our own slug, even if another post has the same words. */
  test('of two equal posts ours is known by its slug', async () => {
    const account = await open('equal')
    const draft = draftFor(account, { title: 'Bells of the old tower, which ring at noon' })
    const [first, second] = [newHandle(), newHandle()]
    await publish(account, draft, first)
    const outcome = await publish(account, draft, second)
    expect(await find(account, { draft, staged: null, handle: second })).toEqual(outcome)
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'absent', proof: 'listing' })
  })

  test('a post on the second page of the list is found', async () => {
    const account = await open('busy')
    const draft = draftFor(account)
    const handle = newHandle()
    const outcome = await publish(account, draft, handle)
    for (let n = 0; n < 21; n++) await publish(account, draftFor(account))
    expect(await find(account, { draft, staged: null, handle })).toEqual(outcome)
  })

  test('a video is published under the id that it has after the conversion, and is in doubt until then', async () => {
    const account = await open('filming')
    const draft = draftFor(account, { format: 'video' })
    const handle = newHandle()
    const accepted = await send(account, { draft, staged: null, handle })
    expect(accepted).toMatchObject({ state: 'processing' })
    expect(await find(account, { draft, staged: null, handle })).toEqual({ state: 'unknown' })
    const second = draftFor(account, { format: 'video' })
    await expect(account.connector.submit(account.client, second, null, newHandle())).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'file_processing',
    })
    await platform.wait(60_000)
    const [seen] = await platform.posts('filming')
    const reference = accepted.state === 'processing' ? accepted.reference : ''
    expect(await tumblr.check?.(account.client, reference)).toMatchObject({ state: 'published', postId: seen?.id })
    expect(reference.startsWith(`${seen?.id}/`)).toBe(false)
  })

  test('a link is a card, and its target is compared although Tumblr lists a redirect', async () => {
    const account = await open('linking')
    const linkUrl = 'https://carillon.example/a?b=1&c=ü'
    const draft = draftFor(account, { linkUrl, title: 'On bells' })
    const handle = newHandle()
    await publish(account, draft, handle)
    const [seen] = await findVisiblePosts(account, draft.text)
    expect(seen?.link).toMatchObject({ url: linkUrl })
    expect(await find(account, { draft, staged: null, handle })).toMatchObject({ state: 'published' })
  })

  test('tags, the source and who may reblog are fields of the post', async () => {
    const account = await open('tagged')
    const draft = draftFor(account, { format: 'photo', media: [mediaFor(platform, 'image', 'A bell')] })
    const settings = { tags: ['bell towers', 'noon'], sourceUrl: 'https://a.example/1', reblogs: 'noone' }
    await publish(account, { ...draft, settings })
    const [seen] = await findVisiblePosts(account, draft.text)
    expect(seen?.options).toMatchObject({
      tags: 'bell towers,noon',
      source_url: 'https://a.example/1',
      interactability_reblog: 'noone',
    })
  })

  test('a long text is divided between words, and is found again', async () => {
    const account = await open('long')
    const text = `${'bells and towers '.repeat(700)}\n\nEnd 🔔.`
    const handle = newHandle()
    const outcome = await publish(account, draftFor(account, { text }), handle)
    expect(await find(account, { draft: draftFor(account, { text }), staged: null, handle })).toEqual(outcome)
    expect(Math.max(...splitText(text).map((part) => [...part].length))).toBeLessThanOrEqual(4096)
  })

  test('the day of a person is used up after 20 videos, and the rest is sent later', async () => {
    const account = await open('eager')
    const send21 = async () => {
      for (let n = 0; n < 21; n++) {
        await publish(account, draftFor(account, { format: 'video' }))
        await platform.wait(60_000)
      }
    }
    await expect(send21()).rejects.toMatchObject({ kind: 'limited', reason: 'day_limit', platformCode: '403.8011' })
  })

  test('figures are likes, replies and reblogs', async () => {
    const account = await open('counted')
    const postId = await publishAndGetId(account, draftFor(account))
    await platform.count(postId)
    expect((await tumblr.metrics?.(account.client, [postId, '1']))?.get(postId)).toEqual({ likes: 3, comments: 5, shares: 7 })
  })
})

test('links in a text are named by their places in Unicode characters, without the punctuation after them', () => {
  const text = '🔔🔔 https://a.example/x_(1), and http://b.example/é.\n\nNone here'
  const [first, second] = writeContent({ title: null, text, linkUrl: null, media: [] })
  expect(first).toEqual({
    type: 'text',
    text: '🔔🔔 https://a.example/x_(1), and http://b.example/é.',
    formatting: [
      { start: 3, end: 25, type: 'link', url: 'https://a.example/x_(1' },
      { start: 32, end: 50, type: 'link', url: 'http://b.example/é' },
    ],
  })
  expect(second).toEqual({ type: 'text', text: 'None here' })
})

/** Guarantee: if Tumblr does not keep a slug, the words decide, and a slug of another post of ours is another post. */
test.each([
  ['bells-0123456789abcdef', 'own'],
  ['bells-fedcba9876543210', 'other'],
  ['bells-ring', 'same'],
  [null, 'same'],
])('a post with the slug %s is %s', (slug, match) => {
  const shown = { id_string: '1', slug, content: [{ type: 'text', text: 'Bells ring' }] }
  const draft = { format: 'text', text: 'Bells ring', linkUrl: null } as const
  expect(comparePost(draft, 'bells-0123456789abcdef', shown)).toBe(match)
  expect(comparePost({ ...draft, linkUrl: 'https://a.example/' }, '', { ...shown, slug: null })).toBe('maybe')
})

test.each([
  [401, { errors: [{ title: 'Unauthorized', code: 1016, detail: 'Unable to authorize' }] }, 'auth', '401.1016'],
  [400, { errors: [{ title: "'content' must be an array", code: 8001 }] }, 'rejected', '400.8001'],
  [400, { response: { errors: ['Unknown state', { code: 8001, message: 'Empty.' }] } }, 'rejected', '400.8001'],
  [400, { errors: [{ title: 'Bad Request', code: 0 }] }, 'rejected', '400'],
  [403, { errors: [{ code: 8004 }] }, 'limited', '403.8004'],
  [403, { errors: [{ code: 8010 }] }, 'unavailable', '403.8010'],
  [403, { errors: [{ code: 8023 }] }, 'limited', '403.8023'],
  [404, { errors: [{ title: 'Not Found', code: 0 }] }, 'gone', '404'],
  [500, { errors: [{ code: 8006 }] }, 'rejected', '500.8006'],
  [500, '<html>', 'unknown', '500'],
  [503, { meta: { status: 503 } }, 'unknown', '503'],
  [401, { error: 'invalid_grant' }, 'auth', 'invalid_grant'],
  [400, { error: 'toString' }, 'rejected', 'toString'],
])('%i %j is %s', (status, body, kind, platformCode) => {
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, platformCode })
})

/** Guarantee: the wait is that of the limit that is used up, not of the other one. */
test('a 429 names the wait in the headers of the hour or of the day', () => {
  const headers = (day: string, hour: string) => ({
    'x-ratelimit-perday-remaining': day,
    'x-ratelimit-perday-reset': '84932',
    'x-ratelimit-perhour-remaining': hour,
    'x-ratelimit-perhour-reset': '2132',
  })
  const waitOf = (day: string, hour: string) => classify({ status: 429, headers: headers(day, hour), body: null }, 0).retryAfterMs
  expect([waitOf('3996', '0'), waitOf('0', '12'), waitOf('0', '0')]).toEqual([2_132_000, 84_932_000, 84_932_000])
  expect(classify({ status: 429, headers: {}, body: null }, 0)).toMatchObject({ kind: 'limited', retryAfterMs: null })
})
