import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import type { Credentials } from '../kit/auth.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  stage,
  waitUntilSettled,
} from '../kit/conformance/test-account.ts'
import type { Client, Draft } from '../kit/connector.ts'
import { createHttp } from '../kit/create-http.ts'
import type { Transport } from '../kit/http.ts'
import { keepReply } from '../kit/check-app.ts'
import { authorizeUrl, exchangeCode } from '../kit/oauth2.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { facebook } from './facebook.ts'

testConnector(facebook, simulate('facebook'))

const dayMs = 86_400_000
const redirectUrl = 'https://carillon.example/callback'

describe('special to Facebook', () => {
  const testPlatform = simulate('facebook')
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  async function signIn(
    person: string,
    scopes = auth.scopes,
  ): Promise<{ credentials: Credentials; scopes: readonly string[] | null }> {
    const { app, transport } = testPlatform
    const http = createHttp({
      transport,
      origin: testPlatform.origin(),
      credentials: null,
      classify: facebook.classify,
      nowMs: Date.now,
    })
    const url = authorizeUrl({
      auth: { ...auth, scopes },
      origin: testPlatform.origin(),
      app,
      redirectUrl,
      state: 's',
      codeChallenge: null,
    })
    const code = await testPlatform.authorize(url, person)
    return exchangeCode({ auth, http, app, redirectUrl, code, codeVerifier: null, nowMs: Date.now() })
  }

  const clientOf = (credentials: Credentials, account = { id: '', handle: '' }): Client =>
    clientFor(facebook, testPlatform, account, credentials)

  /** Guarantee: one sign-in publishes to each page of the person, with the token of that page and never with the person's own. */
  test('a manager chooses among their pages, and each has a token of its own', async () => {
    const { credentials, scopes } = await signIn('manager-tower')
    expect(scopes).toEqual(auth.scopes)
    expect(credentials.expiresAtMs).toBeUndefined()
    const pages = (await auth.targets?.(clientOf(credentials).http)) ?? []
    expect(pages.map(({ handle }) => handle)).toEqual(['tower', 'tower-shop'])
    expect(new Set(pages.map(({ appUserId }) => appUserId)).size).toBe(1)
    for (const page of pages) {
      const testAccount = { client: clientOf(credentials, page), connector: facebook, testPlatform }
      const draft = draftFor(testAccount)
      await publish(testAccount, draft)
      expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
    }
    const { extra: _, ...withoutPages } = credentials
    const asPerson = { client: clientOf(withoutPages, pages[0]), connector: facebook, testPlatform }
    await expect(publish(asPerson, draftFor(asPerson))).rejects.toMatchObject({ kind: 'auth' })
  })

  test('all pages of an agency are listed, a page on which the person may not post is not, and somebody may have none', async () => {
    const listed = async (person: string) => (await auth.targets?.(clientOf((await signIn(person)).credentials).http)) ?? []
    expect(await listed('agency-bells')).toHaveLength(120)
    expect(await listed('bells-readonly')).toEqual([])
    expect(await listed('nobody-here')).toEqual([])
  })

  /** Guarantee: a refused permission for comments costs the comment, and neither the post nor the connection. */
  test('without the permission for comments there is no first comment, and trying one is no sign of a dead token', async () => {
    const scopes = auth.scopes.filter((scope) => scope !== 'pages_manage_engagement')
    const { credentials } = await signIn('commentless', scopes)
    expect(credentials.scopes).toEqual(scopes)
    const [page] = (await auth.targets?.(clientOf(credentials).http)) ?? []
    const testAccount = { client: clientOf(credentials, page), connector: facebook, testPlatform }
    expect(await facebook.capabilities?.read(testAccount.client)).toEqual({ rules: { can: { firstComment: false } } })
    const postId = await publishAndGetId(testAccount, draftFor(testAccount))
    const comment = publish(testAccount, draftFor(testAccount, { replyTo: { postId } }))
    await expect(comment).rejects.toMatchObject({ kind: 'rejected', reason: 'permission_missing' })
  })

  /** Guarantee: what Facebook says about a link is said to the person, in words. */
  test('a link is a field of its own, and one that Facebook cannot read refuses the post', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    const draft = draftFor(testAccount, { linkUrl: 'https://carillon.example/bells' })
    await publish(testAccount, draft)
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.link).toMatchObject({ url: 'https://carillon.example/bells' })
    const refused = publish(testAccount, draftFor(testAccount, { linkUrl: 'https://nowhere.invalid/' }))
    await expect(refused).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining('the page of the link') })
  })

  test('the same text twice in a row is a duplicate, which is looked for', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    const draft = draftFor(testAccount)
    await publish(testAccount, draft)
    await expect(publish(testAccount, draft)).rejects.toMatchObject({ kind: 'rejected', isDuplicate: true, reason: 'duplicate' })
  })

  test.for(['image', 'video'] as const)('a story with a text says that nobody sees the text: %s', async (kind) => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    const draft = draftFor(testAccount, { format: 'story', media: [mediaFor(testPlatform, kind, '')] })
    const outcome = await publish(testAccount, draft)
    expect(outcome).toMatchObject({ state: 'published', warnings: [expect.stringContaining('no caption')] })
    expect(outcome).toMatchObject({ postUrl: expect.stringMatching(/^https?:.*\/stories\/\d+$/) })
    expect(await findVisiblePosts(testAccount, '')).toHaveLength(1)
  })

  const videos: readonly Pick<Draft, 'format'>[] = [{ format: 'video' }, { format: 'short_video' }, { format: 'story' }]

  /** Guarantee: a video whose last answer was lost is published once, because its state can be read. */
  test.for(videos)('a video of which the last answer was lost is published once: $format', async ({ format }) => {
    for (const kind of ['drop_before', 'drop_after'] as const) {
      const testAccount = await openTestAccount(facebook, testPlatform)
      const draft = draftFor(testAccount, { format, text: '', media: [mediaFor(testPlatform, 'video', '')] })
      const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
      await testPlatform.failNext(testAccount.client.account.handle, 'submit', { kind })
      await expect(send(testAccount, sent)).rejects.toMatchObject({ kind: 'unknown' })
      const found = await find(testAccount, sent)
      const isSent = kind === 'drop_after'
      expect(found).toMatchObject(isSent ? { state: 'processing' } : { state: 'absent', proof: 'reference' })
      const outcome = await waitUntilSettled(testAccount, isSent ? found : await send(testAccount, sent))
      expect(outcome).toMatchObject({ state: 'published' })
      expect(await findVisiblePosts(testAccount, '')).toHaveLength(1)
    }
  })

  test('a video that is not listed yet is not called absent, and a story that is not listed never is', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    for (const format of ['video', 'short_video', 'story'] as const) {
      const draft = draftFor(testAccount, { format })
      expect(await find(testAccount, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'unknown' })
    }
    const story = draftFor(testAccount, { format: 'story' })
    const staged = await stage(testAccount, story)
    expect(await find(testAccount, { draft: story, staged, handle: newHandle() })).toEqual({ state: 'unknown' })
    const outcome = await send(testAccount, { draft: story, staged, handle: newHandle() })
    expect(await find(testAccount, { draft: story, staged, handle: newHandle() })).toMatchObject({
      state: 'published',
      ...(outcome.state === 'published' && { postId: outcome.postId, postUrl: outcome.postUrl }),
    })
  })

  test('a video that Facebook cannot convert is refused, with the reason', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    await testPlatform.change({ processingFails: true })
    await expect(publish(testAccount, draftFor(testAccount, { format: 'short_video' }))).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: '1363128',
      reason: 'video_length',
    })
    await testPlatform.change({ processingFails: false })
  })

  test('a video has its title, and is larger than one part', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    const file = mediaFor(testPlatform, 'video', '')
    const bytes = Buffer.concat([await file.read(), Buffer.alloc(2_500_000)])
    const media = [{ ...file, sizeBytes: bytes.length, stream: async () => new Blob([bytes]).stream() }]
    const draft = draftFor(testAccount, { format: 'video', title: 'On bells', media })
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.media).toMatchObject([{ mime: 'video/mp4' }])
  })

  /** Guarantee: the token of a page goes to Facebook only, whatever address an answer names. */
  test('an address for uploads on a foreign host gets no token', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    const { account, credentials } = testAccount.client
    const sentTo = new Map<string, string | undefined>()
    const transport: Transport = async (request) => {
      const { host } = new URL(request.url)
      sentTo.set(host, request.headers['authorization'])
      if (host === 'evil.example') return { status: 200, headers: {}, text: async () => '{"success":true}' }
      const reply = await testPlatform.transport(request)
      const text = async (max: number) =>
        (await reply.text(max)).replace(/"upload_url":"[^"]+"/, '"upload_url":"https://evil.example/x"')
      return { ...reply, text }
    }
    const client = clientFor(facebook, { ...testPlatform, transport }, account, credentials)
    await stage({ ...testAccount, client }, draftFor(testAccount, { format: 'short_video' }))
    expect(sentTo.has('evil.example')).toBe(true)
    expect(sentTo.get('evil.example')).toBeUndefined()
  })

  test('the platform is asked about a developer app', async () => {
    const right = { clientId: '1234567890', clientSecret: 'right' }
    const ask = (app: typeof right) => {
      const { transport } = testPlatform
      const http = createHttp({
        transport,
        origin: testPlatform.origin(),
        credentials: null,
        classify: keepReply,
        nowMs: Date.now,
      })
      return facebook.checkApp?.(http, { app, redirectUrl, authorizeUrl: testPlatform.origin() })
    }
    await testPlatform.change({ app: { ...right, redirectUris: [redirectUrl] } })
    expect(await ask(right)).toMatchObject({ app: { outcome: 'accepted' } })
    expect(await ask({ ...right, clientId: 'another' })).toMatchObject({ app: { outcome: 'refused' } })
    expect(await ask({ ...right, clientSecret: 'another' })).toMatchObject({ app: { outcome: 'refused' } })
    await testPlatform.change({ app: null })
  })

  // The last one, because it moves the clock.
  test('a page can be published to long after the token of the person has ended', async () => {
    const testAccount = await openTestAccount(facebook, testPlatform)
    await testPlatform.wait(90 * dayMs)
    await expect(publish(testAccount, draftFor(testAccount))).resolves.toMatchObject({ state: 'published' })
    await expect(auth.targets?.(testAccount.client.http)).rejects.toMatchObject({ kind: 'auth' })
  })
})
