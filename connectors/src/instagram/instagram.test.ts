import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  mediaFor,
  newHandle,
  openActor,
  publish,
  publishedId,
  seenPosts,
  send,
  stage,
} from '../kit/conformance/actor.ts'
import { testConnector } from '../kit/test-connector.ts'
import { instagram } from './instagram.ts'

testConnector(instagram, simulate('instagram'))

describe('what only Instagram does', () => {
  const world = simulate('instagram')
  beforeAll(() => world.start())
  afterAll(() => world.stop())

  /** Guarantee: a story goes out, and what it cannot show is said. */
  test('a story has no caption', async () => {
    const actor = await openActor(instagram, world)
    const outcome = await publish(actor, draftFor(actor, { format: 'story' }))
    expect(outcome).toMatchObject({ state: 'published', warnings: [expect.stringContaining('no caption')] })
    expect(await seenPosts(actor, '')).toHaveLength(1)
  })

  /** Guarantee: a post is never taken for another one. */
  test('of several new posts none is guessed to be ours', async () => {
    const actor = await openActor(instagram, world)
    const draft = draftFor(actor)
    const sent = { draft, staged: await stage(actor, draft), handle: newHandle() }
    await send(actor, sent)
    await publishedId(actor, draftFor(actor))
    expect(await instagram.find?.(actor.client, { ...sent, draft: { ...draft, settings: { shareToFeed: true } } })).toEqual({
      state: 'unknown',
    })
  })

  /** Guarantee: a file Instagram cannot use is refused before anything is published, and for a reason a person understands. */
  test('a film where a photo should be', async () => {
    const actor = await openActor(instagram, world)
    const media = { ...mediaFor(world, 'document', ''), kind: 'image' as const }
    await expect(publish(actor, draftFor(actor, { media: [media] }))).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: '2207005',
      message: expect.stringContaining('JPEG'),
    })
  })
})
