import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  mediaFor,
  newHandle,
  newText,
  openTestAccount,
  publish,
  publishAndGetId,
  findVisiblePosts,
  send,
  stage,
} from '../kit/conformance/test-account.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { linkedin } from './linkedin.ts'

// The shared tests use a page, which supports everything. The differences of a person's account are tested below.
testConnector(linkedin, simulate('linkedin', { handleOf: (name) => `company-${name}` }))

describe('special to LinkedIn', () => {
  const testPlatform = simulate('linkedin')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  test('a person’s account has an id for a handle, can post a photo, and lists no pages', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const { client } = testAccount
    expect(await linkedin.account(client)).toMatchObject({ id: client.account.id, displayName: client.account.handle })
    const draft = draftFor(testAccount, { format: 'photo', media: [mediaFor(testPlatform, 'image', 'A bell')] })
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    expect(await auth.targets?.(client.http)).toEqual([])
    expect(await linkedin.metrics?.(client, ['urn:li:share:1'])).toEqual(new Map())
  })

  /** Guarantee: sending the same again after a lost answer creates no second post, and the error names the first one. */
  test.for([
    { name: 'text', draft: {} },
    { name: 'a photo', draft: { format: 'photo' as const } },
  ])('a second send is refused and names the post of the first: $name', async ({ draft: part }) => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const draft = draftFor(testAccount, part)
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await testPlatform.failNext(testAccount.client.account.handle, 'submit', { kind: 'drop_after' })
    await expect(send(testAccount, sent)).rejects.toMatchObject({ kind: 'unknown' })
    const [first] = await findVisiblePosts(testAccount, draft.text)
    await expect(send(testAccount, sent)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: `DUPLICATE_POST/${first?.id}`,
      isDuplicate: true,
      existing: { postId: first?.id },
    })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  /** Guarantee: another post with the same text is not reported as this one, whenever its channel was created. */
  test('a later post with the same text is refused, and the error names the first', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const draft = draftFor(testAccount)
    const postId = await publishAndGetId(testAccount, draft)
    await expect(publish(testAccount, draft, newHandle())).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: `DUPLICATE_POST/${postId}`,
      message: expect.stringContaining(postId),
    })
  })

  /** Guarantee: reserved characters do not truncate a text. */
  test('brackets, hashtags and underscores are published as written', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const draft = draftFor(testAccount, {
      text: `${newText()} (by_hand) [x] {y} <z> *a* ~b~ | \\ @c #bells #old_towers C# https://a.example/b_(c)#d`,
    })
    await publish(testAccount, draft)
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  test('beside media, a link that is not in the text is left out with a warning', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const linkUrl = 'https://carillon.example/'
    const inText = await publish(
      testAccount,
      draftFor(testAccount, { format: 'photo', text: `${newText()}\n\n${linkUrl}`, linkUrl }),
    )
    expect(inText).toMatchObject({ state: 'published', warnings: [] })
    const leftOut = await publish(testAccount, draftFor(testAccount, { format: 'photo', linkUrl }))
    expect(leftOut).toMatchObject({ state: 'published', warnings: [expect.stringContaining('no room for the link')] })
  })
})
