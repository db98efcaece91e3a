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
import { testConnector } from '../kit/test-connector.ts'
import { classify } from './errors.ts'
import { pixelfed } from './pixelfed.ts'

testConnector(pixelfed, simulate('pixelfed'))

describe('what only Pixelfed does', () => {
  const platform = simulate('pixelfed')
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(pixelfed, platform, handle)

  test('a server has limits of its own, and as it is installed it takes no videos', async () => {
    const rulesOf = async (handle: string) => (await pixelfed.capabilities?.read((await open(handle)).client))?.rules
    expect(await rulesOf('roomy-server')).toEqual({
      text: { max: 5000 },
      photos: { max: 20, bytesMax: 50_000_000, mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] },
      video: { bytesMax: 50_000_000, mimeTypes: ['video/mp4'] },
    })
    expect(await rulesOf('plain-server')).toMatchObject({
      formats: ['photo', 'photo_carousel'],
      text: { max: 500 },
      photos: { max: 4 },
    })
  })

  /** Guarantee: a post is sent again only while its files prove that there is none, and then there is one. */
  test('of two equal posts ours is known by its files, and files make one post only', async () => {
    const account = await open('equal')
    const draft = draftFor(account)
    await publish(account, draft)
    const staged = await stage(account, draft)
    const sent = { draft, staged, handle: newHandle() }
    expect(await find(account, sent)).toEqual({ state: 'absent', proof: 'reference' })
    const outcome = await send(account, sent)
    expect(await find(account, sent)).toEqual(outcome)
    await expect(send(account, sent)).rejects.toMatchObject({ kind: 'rejected', isDuplicate: true })
    expect(await findVisiblePosts(account, draft.text)).toHaveLength(2)
  })

  test('files that the server has deleted prove nothing', async () => {
    const account = await open('slow')
    const draft = draftFor(account)
    const staged = await stage(account, draft)
    await platform.wait(3 * 3_600_000)
    expect(await find(account, { draft, staged, handle: newHandle() })).toEqual({ state: 'unknown' })
  })

  test('what Pixelfed would remove from a text is not sent', async () => {
    const account = await open('hostile')
    const replyTo = { postId: await publishAndGetId(account, draftFor(account)) }
    const comment = draftFor(account, { replyTo, text: 'I <3 bells' })
    await expect(publish(account, comment)).rejects.toMatchObject({ kind: 'rejected', reason: 'text_refused' })
    const draft = draftFor(account, { text: 'Bells & towers > "all" https://a.example/?a=1&b=2 #bells' })
    const handle = newHandle()
    await publish(account, draft, handle)
    expect(await find(account, { draft, staged: null, handle })).toMatchObject({ state: 'published' })
  })

  test('who can see a post, its warning and its comments are fields of it', async () => {
    const account = await open('careful')
    const draft = draftFor(account)
    const settings = { visibility: 'unlisted', spoiler: 'Loud', comments: 'closed' }
    const postId = await publishAndGetId(account, { ...draft, settings })
    const [seen] = await findVisiblePosts(account, draft.text)
    expect(seen?.options).toMatchObject({ sensitive: 'yes', spoiler_text: 'Loud', comments_disabled: 'yes' })
    const comment = draftFor(account, { replyTo: { postId } })
    await expect(publish(account, comment)).rejects.toMatchObject({ kind: 'rejected', reason: 'comments_off' })
  })

  test('an account that was never used, and one whose storage is full, say what to do', async () => {
    const unused = await open('unused-anna')
    await expect(publish(unused, draftFor(unused))).rejects.toMatchObject({ kind: 'rejected', platformCode: 'never_used' })
    const full = await open('full-bob')
    await expect(stage(full, draftFor(full))).rejects.toMatchObject({ message: expect.stringContaining('storage') })
  })

  test('a file of another kind, and one that is too large, are refused', async () => {
    const account = await open('plain-files')
    const video = draftFor(account, { format: 'video' })
    await expect(stage(account, video)).rejects.toMatchObject({ kind: 'rejected', reason: 'file_kind' })
    const large = { ...mediaFor(platform, 'image', ''), sizeBytes: 15_000_001 }
    const stream = async () => new Blob([new Uint8Array(15_000_001)]).stream()
    await expect(stage(account, draftFor(account, { media: [{ ...large, stream }] }))).rejects.toMatchObject({
      reason: 'file_too_large',
    })
  })
})

test.each([
  [400, { message: 'Duplicate idempotency key.' }, 'rejected', '400'],
  [401, { error: 'invalid_request' }, 'auth', 'invalid_request'],
  [401, { message: 'Unauthenticated.' }, 'auth', '401'],
  [403, { message: 'Empty statuses are not allowed' }, 'rejected', '403'],
  [403, { message: 'Invalid permissions for this action' }, 'auth', '403'],
  [403, { message: '' }, 'auth', '403'],
  [404, { message: 'Not Found' }, 'gone', '404'],
  [422, 'Comments have been disabled on this post', 'rejected', '422'],
  [429, '', 'limited', '429'],
  [451, '', 'rejected', '451'],
  [500, { message: 'Invalid media_ids' }, 'unknown', '500'],
])('%i %j is %s', (status, body, kind, platformCode) => {
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, platformCode })
})
