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
