import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  find,
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

// An app with Instagram Login cannot read captions.
testConnector(instagram, simulate('instagram', { listsTexts: false }))

describe('special to Instagram', () => {
  const testPlatform = simulate('instagram')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a notice about a person finds their account. */
  test('an account has the id by which Instagram names its owner to the app', async () => {
    const { client } = await openTestAccount(instagram, testPlatform)
    const { id, appUserId } = await instagram.account(client)
    expect(id).toBe(client.account.id)
    expect(appUserId).toMatch(/^\d{16}$/)
    expect(appUserId).not.toBe(id)
  })

  /** Guarantee: a story is published, with a warning about the text it cannot show. */
  test('a story has no caption', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const outcome = await publish(testAccount, draftFor(testAccount, { format: 'story' }))
    expect(outcome).toMatchObject({ state: 'published', warnings: [expect.stringContaining('no caption')] })
    expect(await findVisiblePosts(testAccount, '')).toHaveLength(1)
  })

  /** Guarantee: another post is never mistaken for ours. */
  test('with several new posts it is known that ours was published, but not which one it is', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const draft = draftFor(testAccount)
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await send(testAccount, sent)
    const otherId = await publishAndGetId(testAccount, draftFor(testAccount))
    expect(await find(testAccount, sent)).toEqual({ state: 'unidentified' })
    expect(await find(testAccount, sent, [otherId])).toMatchObject({ state: 'published' })
  })

  /** Guarantee: an unusable file is refused before anything is published, with a clear reason. */
  test('a file that is not a photo', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const media = { ...mediaFor(testPlatform, 'document', ''), kind: 'image' as const }
    await expect(publish(testAccount, draftFor(testAccount, { media: [media] }))).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: '2207005',
      message: expect.stringContaining('JPEG'),
    })
  })

  /** Guarantee: names can be written as Instagram writes them. */
  test('collaborators with and without @ are invited', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const draft = draftFor(testAccount)
    const settings = { ...draft.settings, collaborators: ['@bell.founder', 'tower_keeper'] }
    expect(Value.Check(instagram.settings, settings)).toBe(true)
    expect(Value.Check(instagram.settings, { ...settings, collaborators: ['https://instagram.com/bell'] })).toBe(false)
    await expect(publish(testAccount, { ...draft, settings })).resolves.toMatchObject({ state: 'published' })
  })

  /** Guarantee: people are tagged where they are in the picture, and on the picture that they are in. */
  test('people are tagged on the photos of a carousel, and a place and a label stand on the post', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const media = [mediaFor(testPlatform, 'image', 'A bell'), mediaFor(testPlatform, 'image', 'A tower')]
    const draft = draftFor(testAccount, { format: 'photo_carousel', media })
    const userTags = [
      { username: '@bell.founder', x: 0.25, y: 1 },
      { username: 'tower_keeper', photo: 2 },
      { username: 'ringer', photo: 2 },
    ]
    const settings = { ...draft.settings, userTags, locationId: '110774245616525', aiGenerated: true }
    expect(Value.Check(instagram.settings, settings)).toBe(true)
    await expect(publish(testAccount, { ...draft, settings })).resolves.toMatchObject({ state: 'published' })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.options).toMatchObject({ location_id: '110774245616525', is_ai_generated: 'yes' })
    expect(seen?.media.map(({ tags }) => tags)).toEqual([
      [{ username: 'bell.founder', x: 0.25, y: 1 }],
      [
        { username: 'tower_keeper', x: 1 / 3, y: 0.5 },
        { username: 'ringer', x: 2 / 3, y: 0.5 },
      ],
    ])
  })

  test('people are tagged on a reel without a point, and its cover is a picture or a moment', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const optionsOf = async (own: Record<string, unknown>) => {
      const draft = draftFor(testAccount, { format: 'short_video' })
      const settings = { ...draft.settings, ...own }
      expect(Value.Check(instagram.settings, settings)).toBe(true)
      await publish(testAccount, { ...draft, settings })
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      return { ...seen?.options, tags: seen?.media[0]?.tags }
    }
    const userTags = [{ username: 'ringer', x: 0.5, y: 0.5 }]
    expect(await optionsOf({ coverSeconds: 1.5, userTags })).toMatchObject({
      thumb_offset: '1500',
      tags: [{ username: 'ringer' }],
    })
    const coverUrl = testPlatform.files.image.url().replace('http:', 'https:')
    const withPicture = await optionsOf({ coverSeconds: 1.5, coverUrl })
    expect(withPicture).toMatchObject({ cover_url: coverUrl })
    expect(withPicture).not.toHaveProperty('thumb_offset')
  })

  test('a carousel mixes photos and videos, in their order', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    const kinds = ['image', 'video', 'image'] as const
    const draft = draftFor(testAccount, {
      format: 'photo_carousel',
      media: kinds.map((kind) => mediaFor(testPlatform, kind, '')),
    })
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.media.map(({ mime }) => mime)).toEqual(['image/jpeg', 'video/mp4', 'image/jpeg'])
  })

  /** Guarantee: a container that Instagram does not show for a while is published all the same, and once. */
  test('a container whose state cannot be read is published', async () => {
    const testAccount = await openTestAccount(instagram, testPlatform)
    await testPlatform.change({ containersShown: false })
    const draft = draftFor(testAccount)
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
    await testPlatform.change({ containersShown: true })
  })
})
