import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  publish,
  stage,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import type { Transport } from '../kit/http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { type PlacedFile, writeContent } from './content.ts'
import { classify } from './errors.ts'
import { ghost } from './ghost.ts'
import { signToken } from './sign-token.ts'

const fieldsOf = ({ credentials }: { credentials: { accessToken: string } }) => ({ adminKey: credentials.accessToken })

testConnector(ghost, simulate('ghost', { fieldsOf }))

describe('what only Ghost does', () => {
  const platform = simulate('ghost', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = async (handle: string) => {
    const { account, credentials } = await platform.connect(handle)
    return { client: clientFor(ghost, platform, { ...account, handle }, credentials), connector: ghost, testPlatform: platform }
  }
  const signIn = (adminKey: string, origin = platform.origin(), nowMs = Date.now()) => {
    const { transport } = platform
    const http = createHttp({ transport, origin, credentials: null, classify, nowMs: () => nowMs })
    return auth.open(http, { adminKey }, nowMs)
  }

  test('connecting takes the key of an integration, and says which mistake was made', async () => {
    const keyOf = async (handle: string) => fieldsOf(await platform.connect(handle)).adminKey
    const right = await keyOf('tower')
    await expect(signIn(` ${right}\n`)).resolves.toEqual({ accessToken: right })
    const says = (part: string) => ({ kind: 'auth', message: expect.stringContaining(part) })
    // The Content API key is shown beside it.
    await expect(signIn('a'.repeat(26))).rejects.toMatchObject(says('Admin API key'))
    const other = `${right.slice(0, 25)}${'0'.repeat(64)}`
    await expect(signIn(other)).rejects.toMatchObject({ ...says('does not take this key'), platformCode: 'INVALID_JWT' })
    await expect(signIn(`${'0'.repeat(24)}${right.slice(24)}`)).rejects.toMatchObject({ reason: 'sign_in_refused' })
    await expect(signIn(right, platform.origin(), Date.now() - 600_000)).rejects.toMatchObject(says('clocks'))
    await expect(signIn(await keyOf('starter-stella'))).rejects.toMatchObject({ kind: 'auth', reason: 'permission_missing' })
    await expect(signIn(right, `${platform.origin()}/nowhere`)).rejects.toMatchObject(says('No Ghost answers'))
    await expect(signIn(right, 'http://127.0.0.1:1')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('an address that leads to another one is not taken, because a post would be lost on the way', async () => {
    const headers = { location: 'https://admin.a.example/ghost/api/admin/site/' }
    const transport: Transport = async () => ({ status: 301, headers, text: async () => '' })
    const http = createHttp({ transport, origin: 'https://a.example', credentials: null, classify, nowMs: Date.now })
    const adminKey = `${'a'.repeat(24)}:${'b'.repeat(64)}`
    await expect(auth.open(http, { adminKey }, 0)).rejects.toMatchObject({
      message: expect.stringContaining('leads to another one'),
    })
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
    const text =
      '<script>alert("1")</script> &amp; {{#foreach}} <figure>\n\n<!--kg-card-begin: html-->\nhttps://a.example/?a=1&b=[2].'
    await publish(account, draftFor(account, { text, title: '<b>1 < 2</b> {{x}}' }))
    expect(await findVisiblePosts(account, text)).toHaveLength(1)
  })

  test('the first image is the feature image, and the others are in the post with their alternative texts', async () => {
    const account = await open('pictures')
    const media = ['One "two" [3]', 'Second', 'Third'].map((alt) => mediaFor(platform, 'image', alt))
    const seen = async (files: typeof media, more: Record<string, unknown> = {}) => {
      const draft = draftFor(account, { format: 'photo_carousel', media: files })
      await publish(account, { ...draft, settings: { ...draft.settings, ...more } })
      const [post] = await findVisiblePosts(account, draft.text)
      return post?.media.map(({ alt }) => alt)
    }
    const alts = media.map(({ alt }) => alt)
    expect([await seen(media), await seen(media, { featureImage: false })]).toEqual([alts, alts])
    const unsized = media.map((file) => ({ ...file, width: null, height: null }))
    expect(await seen(unsized)).toEqual(alts)
  })

  test('settings become fields of the post, and without a title its first line is the title', async () => {
    const account = await open('sorted')
    const draft = draftFor(account)
    const chosen = { tags: ['Bells & towers', 'New'], excerpt: 'Short.', visibility: 'members', featured: true }
    await publish(account, { ...draft, text: `${draft.text}\nand more`, settings: { ...draft.settings, ...chosen } })
    const [post] = await findVisiblePosts(account, `${draft.text}\nand more`)
    expect(post?.options).toMatchObject({
      tags: 'Bells & towers, New',
      custom_excerpt: 'Short.',
      visibility: 'members',
      featured: 'yes',
    })
    const outcome = await publish(account, { ...draft, text: 'Bells\nat noon' })
    expect(outcome).toMatchObject({ postUrl: expect.stringMatching(/\/bells-[\da-f]{16}\/$/) })
  })

  test('a file that is too large or of another kind is refused', async () => {
    const small = await open('small-site')
    await expect(stage(small, draftFor(small, { format: 'video' }))).rejects.toMatchObject({ reason: 'file_too_large' })
    const account = await open('files')
    const image = mediaFor(platform, 'image', '')
    const renamed = draftFor(account, { format: 'photo', media: [{ ...image, name: 'bell.final.HEIC' }] })
    await expect(publish(account, renamed)).resolves.toMatchObject({ state: 'published' })
    const other = draftFor(account, { format: 'photo', media: [{ ...image, mimeType: 'image/x-bell' }] })
    await expect(stage(account, other)).rejects.toMatchObject({ kind: 'rejected', reason: 'file_kind' })
  })
})

test('a token names its key, is signed with the bytes of the secret, and says for how long', () => {
  const key = `${'a'.repeat(24)}:${'0f'.repeat(32)}`
  const [head = '', claims = '', signature] = signToken(key, 1_700_000_000_900).split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'a'.repeat(24) })
  expect(read(claims)).toEqual({ iat: 1_700_000_000, exp: 1_700_000_300, aud: '/admin/' })
  // Computed apart, with openssl.
  expect(signature).toBe('ZUsDGDWekah92H1410foiNUrMxB0zDaqfoGwJ1fAX6o')
})

test('galleries have at most nine images, and nothing in a text or a name ends a card', () => {
  const image: PlacedFile = {
    kind: 'image',
    name: 'a.jpg',
    sizeBytes: 1_500_000,
    alt: '">',
    width: 4,
    height: 3,
    url: 'https://a.example/"><x>.jpg',
  }
  const content = writeContent(
    '',
    Array.from({ length: 11 }, () => image),
    null,
  )
  expect(content.match(/<figure class="kg-card kg-gallery-card">/g)).toHaveLength(2)
  expect(
    content.match(/<img src="https:\/\/a\.example\/&quot;&gt;&lt;x&gt;\.jpg" alt="&quot;&gt;" width="4" height="3">/g),
  ).toHaveLength(11)
  const document = writeContent('a\nb', [{ ...image, kind: 'document' }], 'On </div> "bells"')
  expect(document).toContain('<div class="kg-file-card-title">On &lt;/div&gt; &quot;bells&quot;</div>')
  expect(document).toContain('<div class="kg-file-card-filesize">1 MB</div>')
  expect(document).toContain('<p>a<br>b</p>')
  expect(writeContent('', [], null)).toBe('')
})

/** The codes and types of Ghost's own source. Most errors have no code. */
test.each([
  [401, 'UnauthorizedError', 'INVALID_JWT', 'auth', 'reconnect'],
  [400, 'BadRequestError', 'MISSING_ADMIN_API_KID', 'auth', 'reconnect'],
  [403, 'NoPermissionError', null, 'auth', 'permission_missing'],
  [403, 'HostLimitError', null, 'auth', 'permission_missing'],
  [404, 'NotFoundError', null, 'gone', 'not_found'],
  [406, 'RequestNotAcceptableError', 'UPDATE_CLIENT', 'rejected', 'api_version_ended'],
  [415, 'UnsupportedMediaTypeError', null, 'rejected', 'file_kind'],
  [422, 'ValidationError', null, 'rejected', 'refused'],
  [429, 'TooManyRequestsError', null, 'limited', 'slow_down'],
  [500, 'InternalServerError', null, 'unknown', null],
  [503, 'MaintenanceError', null, 'unknown', null],
  [403, null, null, 'auth', 'permission_missing'],
  [404, null, null, 'unavailable', 'unreachable'],
  [413, null, null, 'rejected', 'file_too_large'],
])('a refusal: %i %s %s', (status, type, code, kind, reason) => {
  const body = type === null ? '<!doctype html>' : { errors: [{ type, code, message: 'No.', context: 'Why.' }] }
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, reason, platformCode: code ?? type })
})
