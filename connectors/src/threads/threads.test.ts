import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { draftFor, openTestAccount, publish, findVisiblePosts } from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { threads } from './threads.ts'

testConnector(threads, simulate('threads'))

describe('special to Threads', () => {
  const testPlatform = simulate('threads')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a failure after publishing does not make the post a failed one. */
  test('a permalink that cannot be read is a warning', async () => {
    const testAccount = await openTestAccount(threads, testPlatform)
    await testPlatform.failNext(testAccount.client.account.handle, 'check', { kind: 'status', status: 500 })
    const draft = draftFor(testAccount)
    const outcome = await publish(testAccount, draft)
    expect(outcome).toMatchObject({ state: 'published', postUrl: null, warnings: [expect.stringContaining('address')] })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })
})
