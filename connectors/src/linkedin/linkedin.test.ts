import { writeWarning } from '@carillon/contract'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
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
import { createHttp } from '../kit/create-http.ts'
import { authorizeUrl, exchangeCode } from '../kit/oauth2.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { linkedin } from './linkedin.ts'

// The shared tests use a page, which supports everything. The differences of a person's account are tested below.
const simulateCompany = () => simulate('linkedin', { handleOf: (name) => `company-${name}` })
testConnector(linkedin, simulateCompany())

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

  test('a text that is too long once it is escaped has a warning, and one with hashtags has none', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const long = (end: string) => `${newText()} ${'a'.repeat(2850)} ${end}`
    const bracketed = await publish(testAccount, draftFor(testAccount, { text: long('('.repeat(100)) }))
    expect(bracketed).toMatchObject({ warnings: [expect.stringContaining('may have cut the end of the text')] })
    const tagged = await publish(testAccount, draftFor(testAccount, { text: long('#bell '.repeat(8)) }))
    expect(tagged).toMatchObject({ state: 'published', warnings: [] })
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

  /** Guarantee: a picture that LinkedIn cannot convert costs the card its picture, and not the post. */
  test('a link card whose picture LinkedIn cannot convert is published without it', async () => {
    const company = simulateCompany()
    await company.start()
    const testAccount = await openTestAccount(linkedin, company)
    const picture = { ...mediaFor(company, 'image', ''), read: async () => Buffer.from('no picture') }
    const card = { title: 'Bells', description: 'On the hour.', picture, lost: null }
    const draft = draftFor(testAccount, { linkUrl: 'https://carillon.example/', card })
    const warnings = [writeWarning('link_card_without_picture', { platform: 'LinkedIn' })]
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.link).toMatchObject({ title: 'Bells', description: 'On the hour.' })
    expect(seen?.link?.picture).toBeUndefined()
    await company.stop()
  })

  test('a profile, which cannot ask for the state of the picture, waits for it', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const card = { title: 'Bells', description: '', picture: mediaFor(testPlatform, 'image', ''), lost: null }
    const draft = draftFor(testAccount, { linkUrl: 'https://carillon.example/', card })
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings: [] })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.link?.picture).toMatch(/^urn:li:image:/)
  })

  /** Connects with exactly these permissions, as a person would. */
  async function connectWith(name: string, scopes: readonly string[]) {
    const http = createHttp({
      ...linkedin,
      transport: testPlatform.transport,
      origin: testPlatform.origin(),
      credentials: null,
      nowMs: testPlatform.nowMs,
    })
    const redirectUrl = 'https://carillon.example/callback'
    const asked = { ...auth, scopes }
    const common = { auth: asked, app: testPlatform.app, redirectUrl }
    const url = authorizeUrl({ ...common, origin: testPlatform.origin(), state: 'state', codeChallenge: null })
    const code = await testPlatform.authorize(url, name)
    return (await exchangeCode({ ...common, http, code, codeVerifier: null, nowMs: testPlatform.nowMs() })).credentials
  }

  /** Guarantee: with the permissions that are asked for, a page can post, comment, and find its comment. */
  test('a page has the permissions for first comments', async () => {
    const credentials = await connectWith(`company-${newText().slice(-8)}`, auth.vettedScopes ?? [])
    const unnamed = clientFor(linkedin, testPlatform, { id: '', handle: '' }, credentials)
    const [page] = (await auth.targets?.(unnamed.http)) ?? []
    if (!page) throw new Error('There is no page.')
    const testAccount = { client: clientFor(linkedin, testPlatform, page, credentials), connector: linkedin, testPlatform }
    const postId = await publishAndGetId(testAccount, draftFor(testAccount))
    const comment = draftFor(testAccount, { replyTo: { postId } })
    const outcome = await publish(testAccount, comment)
    expect(await find(testAccount, { draft: comment, staged: null, handle: newHandle() })).toMatchObject(outcome)
  })

  /** Guarantee: a comment that the app may not make is refused by itself. The account needs no new connection. */
  test('a profile without the permission for comments keeps its connection', async () => {
    const credentials = await connectWith('ada', auth.scopes)
    const unnamed = clientFor(linkedin, testPlatform, { id: '', handle: '' }, credentials)
    const client = clientFor(linkedin, testPlatform, await linkedin.account(unnamed), credentials)
    const testAccount = { client, connector: linkedin, testPlatform }
    const postId = await publishAndGetId(testAccount, draftFor(testAccount))
    await expect(publish(testAccount, draftFor(testAccount, { replyTo: { postId } }))).rejects.toMatchObject({
      kind: 'rejected',
      reason: 'app_permission_missing',
    })
  })

  /** Guarantee: everybody who may post to a page can choose it, however many there are. */
  test.for([
    { person: 'editor-tower', pages: 1 },
    { person: 'agency-tower', pages: 120 },
  ])('$person can choose $pages pages', async ({ person, pages }) => {
    const { credentials } = await testPlatform.connect(person)
    const { http } = clientFor(linkedin, testPlatform, { id: '', handle: '' }, credentials)
    expect(await auth.targets?.(http)).toHaveLength(pages)
  })

  /** Guarantee: LinkedIn is not asked to publish a file that it is still converting; it answers as if a permission were missing. */
  test.for(['ada', 'company-ada'])('a post waits for its picture before it is sent: %s', async (name) => {
    const { account, credentials } = await testPlatform.connect(name)
    const calls: string[] = []
    const transport: typeof testPlatform.transport = (request) => {
      calls.push(new URL(request.url).pathname)
      return testPlatform.transport(request)
    }
    const client = clientFor(linkedin, { ...testPlatform, transport }, account, credentials)
    const testAccount = { client, connector: linkedin, testPlatform }
    const draft = draftFor(testAccount, { format: 'photo' })
    const staged = await stage(testAccount, draft)
    const submit = linkedin.submit(client, { ...draft, settings: { visibility: 'PUBLIC' } }, staged, newHandle())
    await expect(submit).rejects.toMatchObject({
      kind: 'unavailable',
      platformCode: 'PROCESSING',
      retryAfterMs: expect.any(Number),
    })
    expect(calls.filter((path) => path.endsWith('/rest/posts'))).toEqual([])
    await expect(send(testAccount, { draft, staged, handle: newHandle() })).resolves.toMatchObject({ state: 'published' })
    expect(calls.filter((path) => path.endsWith('/rest/posts'))).toHaveLength(1)
  })

  /** Guarantee: a mention links to the page that was named, and the rest of the text is not cut off by it. */
  test('an organisation is mentioned by its name and number', async () => {
    const testAccount = await openTestAccount(linkedin, testPlatform)
    const draft = draftFor(testAccount, { text: `${newText()} cast by @Bell Makers (UK), for [all].` })
    const settings = { ...draft.settings, mentions: [{ name: 'Bell Makers (UK)', organization: '2414183' }] }
    expect(Value.Check(linkedin.settings, settings)).toBe(true)
    const sent = { draft: { ...draft, settings }, staged: null, handle: newHandle() }
    await expect(send(testAccount, sent)).resolves.toMatchObject({ state: 'published' })
    // LinkedIn shows the name as a link, without the sign.
    expect(await findVisiblePosts(testAccount, draft.text.replace('@', ''))).toHaveLength(1)
  })
})
