import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { draftFor, openTestAccount, publish } from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { x } from './x.ts'

testConnector(x, simulate('x'))

describe('what only X does', () => {
  const testPlatform = simulate('x')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a repeated text is refused for good, under a code of its own, in words a person understands. */
  test('the same text again', async () => {
    const testAccount = await openTestAccount(x, testPlatform)
    const draft = draftFor(testAccount)
    await publish(testAccount, draft)
    await expect(publish(testAccount, draft)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: 'duplicate-content',
      message: 'X refused this post because the same text was posted recently.',
    })
  })

  /** Guarantee: a post is found again though X has rewritten its links. */
  test('a lost post with links is found', async () => {
    const testAccount = await openTestAccount(x, testPlatform)
    const draft = draftFor(testAccount, {
      text: `Bells & bells at carillon.example ${crypto.randomUUID()}\n\nhttps://carillon.example/a?b=c`,
      linkUrl: 'https://carillon.example/a?b=c',
    })
    const handle = { key: 'k', atMs: Date.now() }
    const outcome = await publish(testAccount, draft, handle)
    expect(
      await x.find?.(testAccount.client, { draft: { ...draft, settings: { replySettings: 'everyone' } }, staged: null, handle }),
    ).toEqual(outcome)
  })
})
