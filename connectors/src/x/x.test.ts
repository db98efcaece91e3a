import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { draftFor, find, newHandle, openTestAccount, publish } from '../kit/conformance/test-account.ts'
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
    expect(await find(testAccount, { draft, staged: null, handle })).toEqual(outcome)
  })
})
