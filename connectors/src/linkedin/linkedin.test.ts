import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  mediaFor,
  newHandle,
  newText,
  openActor,
  publish,
  publishedId,
  seenPosts,
  send,
  stage,
} from '../kit/conformance/actor.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { linkedin } from './linkedin.ts'

// Pages, which can do everything. What a person's account does differently is below.
testConnector(linkedin, simulate('linkedin', { handleOf: (name) => `company-${name}` }))

describe('what only LinkedIn does', () => {
  const world = simulate('linkedin')
  beforeAll(() => world.start())
  afterAll(() => world.stop())

  test('a person is named by a number, posts with a photo, and has no pages to see', async () => {
    const actor = await openActor(linkedin, world)
    const { client } = actor
    expect(await linkedin.account(client)).toMatchObject({ id: client.account.id, displayName: client.account.handle })
    const draft = draftFor(actor, { format: 'photo', media: [mediaFor(world, 'image', 'A bell')] })
    await expect(publish(actor, draft)).resolves.toMatchObject({ state: 'published' })
    expect(await auth.targets?.(client.http)).toEqual([])
    expect(await linkedin.metrics?.(client, ['urn:li:share:1'])).toEqual(new Map())
  })

  /** Guarantee: sending the same again after a lost answer finds the first post and makes no second. */
  test.for([
    { name: 'text', draft: {} },
    { name: 'a photo', draft: { format: 'photo' as const } },
  ])('a lost post of a person is adopted: $name', async ({ draft: part }) => {
    const actor = await openActor(linkedin, world)
    const draft = draftFor(actor, part)
    const sent = { draft, staged: await stage(actor, draft), handle: newHandle() }
    await world.failNext(actor.client.account.handle, 'submit', { kind: 'drop_after' })
    await expect(send(actor, sent)).rejects.toMatchObject({ kind: 'unknown' })
    const [first] = await seenPosts(actor, draft.text)
    await expect(send(actor, sent)).resolves.toMatchObject({ state: 'published', postId: first?.id })
    expect(await seenPosts(actor, draft.text)).toHaveLength(1)
  })

  /** Guarantee: an earlier post of the same words is not passed off as the new one. */
  test('the same text meant twice is refused, and the first is named', async () => {
    const actor = await openActor(linkedin, world)
    const draft = draftFor(actor)
    const postId = await publishedId(actor, draft)
    const later = { key: 'later', atMs: Date.now() + 3_600_000 }
    await expect(publish(actor, draft, later)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: `DUPLICATE_POST/${postId}`,
      message: expect.stringContaining(postId),
    })
  })

  /** Guarantee: no reserved sign cuts a text short. */
  test('brackets, hashtags and underscores arrive as written', async () => {
    const actor = await openActor(linkedin, world)
    const draft = draftFor(actor, {
      text: `${newText()} (by_hand) [x] {y} <z> *a* ~b~ | \\ @c #bells #old_towers C# https://a.example/b_(c)#d`,
    })
    await publish(actor, draft)
    expect(await seenPosts(actor, draft.text)).toHaveLength(1)
  })

  test('beside media, a link that is not in the text is left out with a warning', async () => {
    const actor = await openActor(linkedin, world)
    const linkUrl = 'https://carillon.example/'
    const inText = await publish(actor, draftFor(actor, { format: 'photo', text: `${newText()}\n\n${linkUrl}`, linkUrl }))
    expect(inText).toMatchObject({ state: 'published', warnings: [] })
    const leftOut = await publish(actor, draftFor(actor, { format: 'photo', linkUrl }))
    expect(leftOut).toMatchObject({ state: 'published', warnings: [expect.stringContaining('no room for the link')] })
  })
})
