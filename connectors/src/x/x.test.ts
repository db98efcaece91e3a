import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import { draftFor, openActor, publish } from '../kit/conformance/actor.ts'
import { testConnector } from '../kit/test-connector.ts'
import { x } from './x.ts'

testConnector(x, simulate('x'))

describe('what only X does', () => {
  const world = simulate('x')
  beforeAll(() => world.start())
  afterAll(() => world.stop())

  /** Guarantee: a repeated text is refused for good, under a code of its own, in words a person understands. */
  test('the same text again', async () => {
    const actor = await openActor(x, world)
    const draft = draftFor(actor)
    await publish(actor, draft)
    await expect(publish(actor, draft)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: 'duplicate-content',
      message: 'X refused this post because the same text was posted recently.',
    })
  })

  /** Guarantee: a post is found again though X has rewritten its links. */
  test('a lost post with links is found', async () => {
    const actor = await openActor(x, world)
    const draft = draftFor(actor, {
      text: `Bells & bells at carillon.example ${crypto.randomUUID()}\n\nhttps://carillon.example/a?b=c`,
      linkUrl: 'https://carillon.example/a?b=c',
    })
    const handle = { key: 'k', atMs: Date.now() }
    const outcome = await publish(actor, draft, handle)
    expect(
      await x.find?.(actor.client, { draft: { ...draft, settings: { replySettings: 'everyone' } }, staged: null, handle }),
    ).toEqual(outcome)
  })
})
