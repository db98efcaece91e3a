import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { draftFor, openActor, publish, seenPosts } from '../kit/conformance/actor.ts'
import { testConnector } from '../kit/test-connector.ts'
import { threads } from './threads.ts'

testConnector(threads, simulate('threads'))

describe('what only Threads does', () => {
  const world = simulate('threads')
  beforeAll(() => world.start())
  afterAll(() => world.stop())

  /** Guarantee: once published, nothing that fails afterwards can say otherwise. */
  test('a permalink that cannot be read is a warning', async () => {
    const actor = await openActor(threads, world)
    await world.failNext(actor.client.account.handle, 'check', { kind: 'status', status: 500 })
    const draft = draftFor(actor)
    const outcome = await publish(actor, draft)
    expect(outcome).toMatchObject({ state: 'published', postUrl: null, warnings: [expect.stringContaining('address')] })
    expect(await seenPosts(actor, draft.text)).toHaveLength(1)
  })
})
