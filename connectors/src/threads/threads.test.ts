import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { clientFor, draftFor, openTestAccount, publish, findVisiblePosts } from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { threads } from './threads.ts'

testConnector(threads, simulate('threads'))

describe('special to Threads', () => {
  const testPlatform = simulate('threads')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a failure after publishing does not make the post a failed one. */
  test('a permalink that cannot be read is a warning', async () => {
    const opened = await openTestAccount(threads, testPlatform)
    const { account, credentials } = opened.client
    const transport: typeof testPlatform.transport = (request) =>
      request.url.includes('permalink')
        ? Promise.resolve({ status: 500, headers: {}, text: async () => '' })
        : testPlatform.transport(request)
    const testAccount = { ...opened, client: clientFor(threads, { ...testPlatform, transport }, account, credentials) }
    const draft = draftFor(testAccount)
    const outcome = await publish(testAccount, draft)
    expect(outcome).toMatchObject({ state: 'published', postUrl: null, warnings: [expect.stringContaining('address')] })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  /** Guarantee: a container that Threads does not show for a while is published all the same, and once. */
  test('a container whose state cannot be read is published', async () => {
    const testAccount = await openTestAccount(threads, testPlatform)
    await testPlatform.change({ containersShown: false })
    const draft = draftFor(testAccount)
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
    await testPlatform.change({ containersShown: true })
  })
})
