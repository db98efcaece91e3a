import { writeWarning } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  stage,
} from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { x } from './x.ts'

testConnector(x, simulate('x'))

describe('special to X', () => {
  const testPlatform = simulate('x')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a repeated text is rejected with its own code and a clear message. */
  test('the same text twice', async () => {
    const testAccount = await openTestAccount(x, testPlatform)
    const draft = draftFor(testAccount)
    await publish(testAccount, draft)
    await expect(publish(testAccount, draft)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: 'duplicate-content',
      message: 'X refused this post because the same text was posted recently.',
      isDuplicate: true,
      existing: null,
    })
  })

  /** Guarantee: a post is found after a lost answer, although X has changed its links. */
  test('a post with links is found', async () => {
    const testAccount = await openTestAccount(x, testPlatform)
    const draft = draftFor(testAccount, {
      text: `Bells & bells at carillon.example ${crypto.randomUUID()}\n\nhttps://carillon.example/a?b=c`,
      linkUrl: 'https://carillon.example/a?b=c',
    })
    const handle = newHandle()
    const outcome = await publish(testAccount, draft, handle)
    expect(await find(testAccount, { draft, staged: null, handle })).toEqual({ ...outcome, byWords: true })
  })

  /** Guarantee: who can reply is said of the post only. X decides about a reply by the post that it replies to. */
  test('a first comment does not repeat who can reply', async () => {
    const opened = await openTestAccount(x, testPlatform)
    const { account, credentials } = opened.client
    const bodies: unknown[] = []
    const transport: typeof testPlatform.transport = (request) => {
      const { url, body } = request
      if (url.endsWith('/2/tweets') && typeof body === 'string') bodies.push(JSON.parse(body))
      return testPlatform.transport(request)
    }
    const testAccount = { ...opened, client: clientFor(x, { ...testPlatform, transport }, account, credentials) }
    const draft = draftFor(testAccount)
    const settings = { ...draft.settings, replySettings: 'following' }
    const postId = await publishAndGetId(testAccount, { ...draft, settings })
    await testPlatform.wait(5000)
    await publish(testAccount, { ...draftFor(testAccount, { replyTo: { postId } }), settings })
    expect(bodies).toEqual([
      { text: draft.text, reply_settings: 'following' },
      { text: expect.any(String), reply: { in_reply_to_tweet_id: postId } },
    ])
  })

  test('photos without words and a video with a description are published', async () => {
    const testAccount = await openTestAccount(x, testPlatform)
    await expect(publish(testAccount, draftFor(testAccount, { format: 'photo', text: '' }))).resolves.toMatchObject({
      state: 'published',
    })
    const media = [mediaFor(testPlatform, 'video', 'A bell rings')]
    await expect(publish(testAccount, draftFor(testAccount, { format: 'video', media }))).resolves.toMatchObject({
      state: 'published',
    })
  })

  /** Guarantee: a refused description costs the post its description, and nothing else. A lost answer is asked for again. */
  test('a photo whose alt text X refuses is published with a warning', async () => {
    const opened = await openTestAccount(x, testPlatform)
    const { account, credentials } = opened.client
    let status = 400
    const transport: typeof testPlatform.transport = (request) =>
      request.url.endsWith('/2/media/metadata')
        ? Promise.resolve({ status, headers: {}, text: async () => JSON.stringify({ title: 'Invalid Request', status }) })
        : testPlatform.transport(request)
    const testAccount = { ...opened, client: clientFor(x, { ...testPlatform, transport }, account, credentials) }
    const draft = draftFor(testAccount, { format: 'photo', media: [mediaFor(testPlatform, 'image', 'A bell')] })
    const warnings = [writeWarning('alt_text_refused', { platform: 'X' })]
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.media).toMatchObject([{ alt: '' }])
    status = 503
    await expect(stage(testAccount, draft)).rejects.toMatchObject({ kind: 'unknown' })
  })
})
