import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  findVisiblePosts,
  send,
  stage,
} from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { instagram } from './instagram.ts'

testConnector(instagram, simulate('instagram'))

describe('what only Instagram does', () => {
  const testPlatform = simulate('instagram')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a story goes out, and what it cannot show is said. */
  test('a story has no caption', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const outcome = await publish(testAccount, draftFor(testAccount, { format: 'story' }))
    expect(outcome).toMatchObject({ state: 'published', warnings: [expect.stringContaining('no caption')] })
    expect(await findVisiblePosts(testAccount, '')).toHaveLength(1)
  })

  /** Guarantee: a post is never taken for another one. */
  test('of several new posts none is guessed to be ours', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const draft = draftFor(testAccount)
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await send(testAccount, sent)
    await publishAndGetId(testAccount, draftFor(testAccount))
    expect(await instagram.find?.(testAccount.client, { ...sent, draft: { ...draft, settings: { shareToFeed: true } } })).toEqual(
      {
        state: 'unknown',
      },
    )
  })

  /** Guarantee: a file Instagram cannot use is refused before anything is published, and for a reason a person understands. */
  test('a film where a photo should be', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const media = { ...mediaFor(testPlatform, 'document', ''), kind: 'image' as const }
    await expect(publish(testAccount, draftFor(testAccount, { media: [media] }))).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: '2207005',
      message: expect.stringContaining('JPEG'),
    })
  })
})
