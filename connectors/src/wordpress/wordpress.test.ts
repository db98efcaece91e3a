import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  stage,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import type { Transport } from '../kit/http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { writeContent } from './content.ts'
import { classify } from './errors.ts'
import { wordpress } from './wordpress.ts'

type Connected = { account: { handle: string }; credentials: { extra?: Record<string, string> } }

const fieldsOf = ({ account, credentials }: Connected) => ({
  username: account.handle,
  password: credentials.extra?.['password'] ?? '',
})

// With tags, so that a text has something to stage.
const settings = { tags: ['Bells & towers'], categories: ['bells & towers'] }

testConnector(wordpress, simulate('wordpress', { fieldsOf, settings }))

describe('what only WordPress does', () => {
  const platform = simulate('wordpress', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(wordpress, platform, handle)
  const signIn = (fields: Record<string, string>, origin = platform.origin()) => {
    const { transport } = platform
    const http = createHttp({ transport, origin, credentials: null, classify, nowMs: Date.now })
    return auth.open(http, fields, Date.now())
  }

  test('connecting takes the password in groups, and says which mistake was made', async () => {
    const fields = async (handle: string) => fieldsOf(await platform.connect(handle))
    const right = await fields('tower')
    const grouped = ` ${right.password.replaceAll(/(.{4})/g, '$1 ')}\n`
    const accessToken = Buffer.from(`tower:${right.password}`).toString('base64')
    await expect(signIn({ username: ' tower ', password: grouped })).resolves.toEqual({ accessToken })
    const says = (part: string) => ({ kind: 'auth', message: expect.stringContaining(part) })
    await expect(signIn({ ...right, password: 'correct-horse' })).rejects.toMatchObject(says('24 letters and digits'))
    await expect(signIn({ ...right, username: '' })).rejects.toMatchObject(says('user name'))
    await expect(signIn({ ...right, password: 'a'.repeat(24) })).rejects.toMatchObject({ reason: 'sign_in_refused' })
    await expect(signIn(await fields('contributor-carol'))).rejects.toMatchObject(says('may not publish'))
    await expect(signIn(await fields('disabled-dora'))).rejects.toMatchObject(says('no application passwords'))
    await expect(signIn(await fields('plain-paula'))).rejects.toMatchObject(says('permalinks'))
    await expect(signIn(right, `${platform.origin()}/nowhere`)).rejects.toMatchObject(says('/wp-json/'))
    await expect(signIn(right, 'http://127.0.0.1:1')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('an address that leads to another one is not taken, because a post would be lost on the way', async () => {
    const transport: Transport = async () => ({
      status: 301,
      headers: { location: 'https://www.a.example/' },
      text: async () => '',
    })
    const http = createHttp({ transport, origin: 'https://a.example', credentials: null, classify, nowMs: Date.now })
    const entered = { username: 'tower', password: 'a'.repeat(24) }
    await expect(auth.open(http, entered, 0)).rejects.toMatchObject({ message: expect.stringContaining('leads to another one') })
  })

  /** Guarantee: a lost answer is found by our own slug, even if another post has the same words. */
  test('of two equal posts ours is known by its slug', async () => {
    const account = await open('equal')
    const draft = draftFor(account, { title: 'Bells' })
    const [first, second] = [newHandle(), newHandle()]
    await publish(account, draft, first)
    const outcome = await publish(account, draft, second)
    expect(await find(account, { draft, staged: null, handle: second })).toEqual(outcome)
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'absent', proof: 'listing' })
    const id = outcome.state === 'published' ? outcome.postId : ''
    expect(await find(account, { draft, staged: null, handle: second }, [id])).toEqual({ state: 'unknown' })
  })

  test('a text is shown as written, whatever it looks like', async () => {
    const account = await open('hostile')
    const text = '<script>alert("1")</script> &amp; [gallery ids="1"]\n\n<!-- wp:html --> [embed]\nhttps://a.example/?a=1&b=[2].'
    await publish(account, draftFor(account, { text, title: '<b>1 < 2</b> [x]' }))
    expect(await findVisiblePosts(account, text)).toHaveLength(1)
  })

  test('the first image is the featured one, and the others are in the post with their alternative texts', async () => {
    const account = await open('pictures')
    const media = ['One "two" [3] <b>1 < 2</b> 50%de \\ &amp;', 'Second', 'Third'].map((alt) => mediaFor(platform, 'image', alt))
    const seen = async (more: Record<string, unknown>) => {
      const draft = draftFor(account, { format: 'photo_carousel', media })
      await publish(account, { ...draft, settings: { ...draft.settings, ...more } })
      const [post] = await findVisiblePosts(account, draft.text)
      return post?.media.map(({ alt }) => alt)
    }
    const alts = media.map(({ alt }) => alt)
    expect([await seen({}), await seen({ featuredImage: false })]).toEqual([alts, alts])
  })

  test('settings become fields of the post, and a category that the site does not have is refused before anything is sent', async () => {
    const account = await open('sorted')
    const draft = draftFor(account)
    const chosen = {
      tags: ['Bells & towers', 'bells & Towers', 'New'],
      categories: ['news'],
      excerpt: 'Short.',
      comments: 'closed',
    }
    await publish(account, { ...draft, settings: { ...draft.settings, ...chosen } })
    const [post] = await findVisiblePosts(account, draft.text)
    expect(post?.options).toEqual({
      tags: 'Bells & towers, New',
      categories: 'News',
      excerpt: 'Short.',
      comment_status: 'closed',
    })
    const unknown = { ...draft, settings: { ...draft.settings, categories: ['Nowhere'] } }
    await expect(stage(account, unknown)).rejects.toMatchObject({ kind: 'rejected', platformCode: 'unknown_category' })
  })

  test('a comment has an id of its own kind, is removed alone, and is refused where comments are closed', async () => {
    const account = await open('talking')
    const replyTo = { postId: await publishAndGetId(account, draftFor(account)) }
    const draft = draftFor(account, { text: "It's <here> -- & there", replyTo })
    const outcome = await publish(account, draft)
    expect(outcome).toMatchObject({ state: 'published', postId: expect.stringMatching(/^comment-\d+$/) })
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ ...outcome, byWords: true })
    await expect(publish(account, draft)).rejects.toMatchObject({ kind: 'rejected', isDuplicate: true })
    await wordpress.remove?.(account.client, outcome.state === 'published' ? outcome.postId : '')
    expect((await platform.posts('talking')).map(({ deleted }) => deleted)).toEqual([false, true])
    const closed = await open('closed-blog')
    const silent = { postId: await publishAndGetId(closed, draftFor(closed)) }
    await expect(publish(closed, draftFor(closed, { replyTo: silent }))).rejects.toMatchObject({ reason: 'comments_off' })
  })

  test('for an author, nothing can be said about a comment whose answer was lost', async () => {
    const account = await open('author-alice')
    const replyTo = { postId: await publishAndGetId(account, draftFor(account)) }
    const sent = { draft: draftFor(account, { replyTo }), staged: null, handle: newHandle() }
    await send(account, sent)
    expect(await find(account, sent)).toEqual({ state: 'unknown' })
  })

  test('a file that is too large or of another kind is refused, and its ending is that of its type', async () => {
    const small = await open('small-site')
    const video = draftFor(small, { format: 'video' })
    await expect(stage(small, video)).rejects.toMatchObject({ kind: 'rejected', reason: 'file_too_large' })
    const account = await open('files')
    const image = mediaFor(platform, 'image', '')
    const renamed = draftFor(account, { format: 'photo', media: [{ ...image, name: 'bell.final.HEIC' }] })
    await expect(publish(account, renamed)).resolves.toMatchObject({ state: 'published' })
    const other = draftFor(account, { format: 'photo', media: [{ ...image, mimeType: 'image/x-bell' }] })
    await expect(stage(account, other)).rejects.toMatchObject({ kind: 'rejected', reason: 'file_unprocessed' })
  })

  test('a site that has switched a role off asks for another permission', async () => {
    const account = await open('contributor-carl')
    await expect(publish(account, draftFor(account))).rejects.toMatchObject({ kind: 'auth', reason: 'permission_missing' })
  })
})

test('blocks are those of the editor, and nothing in them ends one early', () => {
  const files = [{ kind: 'document' as const, name: 'a.pdf', alt: '', id: 7, url: 'https://a.example/--><x>.pdf' }]
  const content = writeContent('a\nb\n\n\nc', files, 'On "bells"')
  expect(content.match(/-->/g)).toHaveLength(6)
  expect(content).toContain('>On &quot;bells&quot;</a>')
  expect(content).toContain('<p>a<br>b</p>')
  expect(writeContent('', [], null)).toBe('')
})

/** The codes of WordPress's own source. Some have statuses that would mean something else. */
test.each([
  [401, 'incorrect_password', 'auth', 'reconnect'],
  [403, 'rest_cannot_publish', 'auth', 'permission_missing'],
  [400, 'rest_cannot_create', 'auth', 'permission_missing'],
  [404, 'rest_post_invalid_id', 'gone', 'not_found'],
  [404, 'rest_no_route', 'unavailable', 'unreachable'],
  [500, 'rest_upload_unknown_error', 'rejected', 'file_unprocessed'],
  [500, 'db_insert_error', 'unknown', null],
  [409, 'comment_duplicate', 'rejected', 'duplicate'],
  [400, 'rest_invalid_param', 'rejected', 'refused'],
  [403, null, 'auth', 'permission_missing'],
  [404, null, 'unavailable', 'unreachable'],
  [413, null, 'rejected', 'file_too_large'],
  [401, null, 'auth', 'reconnect'],
  [503, null, 'unknown', null],
])('a refusal: %i %s', (status, code, kind, reason) => {
  const body = code === null ? '<!doctype html>' : { code, message: 'Sorry.', data: { status } }
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, reason, platformCode: code })
})
