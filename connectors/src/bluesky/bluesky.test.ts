import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { draftFor, findVisiblePosts, newHandle, openTestAccount, publish } from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { bluesky } from './bluesky.ts'
import { collection, parsePostId } from './stage.ts'

const handleOf = (name: string) => `${name}.example.com`

testConnector(bluesky, simulate('bluesky', { handleOf }))

describe('special to Bluesky', () => {
  const testPlatform = simulate('bluesky', { handleOf })
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a post has the time of its sending, although its key is older, and a repeat does not change it. */
  test('the time of a scheduled post', async () => {
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const draft = draftFor(testAccount)
    const handle = newHandle()
    const outcome = await publish(testAccount, draft, handle)
    if (outcome.state !== 'published') throw new Error('The post is not published.')
    const read = () => {
      const query = { ...parsePostId(outcome.postId), collection }
      const returns = Type.Object({ cid: Type.String(), value: Type.Object({ createdAt: Type.String() }) })
      return testAccount.client.http.call({ method: 'GET', path: '/xrpc/com.atproto.repo.getRecord', query, returns })
    }
    const first = await read()
    expect(Date.now() - Date.parse(first.value.createdAt)).toBeLessThan(60_000)
    expect(await publish(testAccount, draft, handle)).toEqual(outcome)
    expect(await read()).toEqual(first)
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })
})
