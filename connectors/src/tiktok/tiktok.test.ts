import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  newHandle,
  newText,
  openTestAccount,
  publish,
  publishAndGetId,
  findVisiblePosts,
  send,
  waitUntilSettled,
  stage,
} from '../kit/conformance/test-account.ts'
import { authorizeUrl, exchangeCode } from '../kit/oauth2.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { capabilities } from './creator.ts'
import { tiktok } from './tiktok.ts'

const settings = { privacyLevel: 'PUBLIC_TO_EVERYONE' }

testConnector(tiktok, simulate('tiktok', { settings, showsAlt: false }))

describe('special to TikTok', () => {
  const testPlatform = simulate('tiktok', { settings, showsAlt: false })
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: nothing is published before the last byte, and the video is processing until TikTok has published it. */
  test('staging uploads a large video except for its last chunk', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const bytes = new Uint8Array(21_000_000)
    bytes.set(testPlatform.files.video.bytes)
    const simpleDraft = draftFor(testAccount)
    const [media] = simpleDraft.media
    if (!media) throw new Error('There is no video.')
    const stream = async () => new Blob([bytes]).stream()
    const draft = { ...simpleDraft, media: [{ ...media, sizeBytes: bytes.length, stream, read: async () => bytes }] }
    const staged = await stage(testAccount, draft)
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(0)
    const outcome = await send(testAccount, { draft, staged, handle: newHandle() })
    expect(outcome).toMatchObject({ state: 'processing', reference: expect.stringContaining('v_pub_file') })
    expect(await waitUntilSettled(testAccount, outcome)).toMatchObject({ state: 'published' })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  /** Guarantee: after a lost answer, photos are found among the public posts or are `unknown`; never `absent`. */
  test('photos after a lost answer', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const draft = draftFor(testAccount, { format: 'photo' })
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await testPlatform.failNext(testAccount.client.account.handle, 'submit', { kind: 'drop_after' })
    await expect(send(testAccount, sent)).rejects.toMatchObject({ kind: 'unknown' })
    await expect.poll(() => find(testAccount, sent), { timeout: 3000 }).toMatchObject({ state: 'published' })
    const unsent = { ...sent, draft: draftFor(testAccount, { format: 'photo' }) }
    expect(await find(testAccount, unsent)).toEqual({ state: 'unknown' })
  })

  /** Guarantee: a post that TikTok accepted never counts as failed because its publish_id was damaged or forgotten. */
  test('a publish_id that is damaged or forgotten', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const draft = draftFor(testAccount, { format: 'photo' })
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await testPlatform.failNext(testAccount.client.account.handle, 'submit', { kind: 'malformed' })
    await expect(send(testAccount, sent)).rejects.toMatchObject({ kind: 'unknown' })
    const { check } = testAccount.connector
    await expect(check?.(testAccount.client, 'p_pub_url~unknown')).rejects.toMatchObject({ kind: 'unknown' })
  })

  /** Guarantee: a post that only its author can see without a choice of theirs says so, however its outcome was learned. */
  test.for(['video', 'photo'] as const)('no audience chosen: %s', async (format) => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const { privacyLevel: _, ...withoutAudience } = draftFor(testAccount).settings
    const draft = draftFor(testAccount, { format, settings: withoutAudience })
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    const warned = { state: 'published', warnings: [expect.stringMatching(/Only you can see this post.*privacyLevel/)] }
    const outcome = await waitUntilSettled(testAccount, await send(testAccount, sent))
    expect(outcome).toMatchObject(warned)
    expect(outcome).toMatchObject({ postId: expect.not.stringContaining('|') })
    // Private photos have no publish_id to ask about, and are not listed.
    expect(await find(testAccount, sent)).toMatchObject(format === 'video' ? warned : { state: 'unknown' })
    const chosen = draftFor(testAccount, { format, settings: { ...withoutAudience, privacyLevel: 'SELF_ONLY' } })
    expect(await publish(testAccount, chosen)).toMatchObject({ state: 'published', warnings: [] })
  })

  /** Guarantee: the post of another channel is recognised even if that channel has only its publish_id. */
  test('a public post whose channel has a publish_id is not ours', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const draft = draftFor(testAccount, { format: 'photo' })
    const outcome = await send(testAccount, { draft, staged: await stage(testAccount, draft), handle: newHandle() })
    if (outcome.state !== 'processing') throw new Error('The post is not processing.')
    const lost = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await expect.poll(() => find(testAccount, lost), { timeout: 3000 }).toMatchObject({ state: 'published' })
    expect(await find(testAccount, lost, [outcome.reference])).toEqual({ state: 'unknown' })
  })

  /** Guarantee: a private post is published although it has no public id, and its URL is the profile. */
  test('a private post', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const draft = draftFor(testAccount)
    const outcome = await publish(testAccount, { ...draft, settings: { ...draft.settings, privacyLevel: 'SELF_ONLY' } })
    expect(outcome).toMatchObject({ state: 'published', postUrl: `https://www.tiktok.com/@${testAccount.client.account.handle}` })
    expect(await testAccount.connector.metrics?.(testAccount.client, ['v_pub_file~unknown'])).toEqual(new Map())
  })

  /** Guarantee: a person chooses who sees the post, who may react to it, and that it is advertising; nothing is chosen for them. */
  test('nothing is preselected', () => {
    expect(Value.Default(tiktok.settings, {})).toEqual({
      delivery: 'publish',
      allowComments: false,
      allowDuets: false,
      allowStitches: false,
      contentDisclosure: false,
      yourBrand: false,
      brandedContent: false,
      aiGenerated: false,
      addMusic: false,
    })
  })

  /** Guarantee: an audience that the account does not offer is refused before anything is uploaded. */
  test('an audience the account does not have', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const draft = draftFor(testAccount)
    const chosen = { ...draft, settings: { ...draft.settings, privacyLevel: 'FOLLOWER_OF_CREATOR' } }
    await expect(stage(testAccount, chosen)).rejects.toMatchObject({
      kind: 'rejected',
      platformCode: 'privacy_level_option_mismatch',
    })
  })

  /** Guarantee: a used refresh token is an auth error, although TikTok answers with status 200. */
  test('a used refresh token is auth', async () => {
    const { client } = await openTestAccount(tiktok, testPlatform)
    const renewal = { http: client.http, credentials: client.credentials, app: testPlatform.app, nowMs: Date.now() }
    await auth.renew?.(renewal)
    await expect(auth.renew?.(renewal)).rejects.toMatchObject({ kind: 'auth', platformCode: 'invalid_grant' })
  })

  /** Guarantee: a video that waited for longer than its upload address lasts is uploaded again. */
  test('an upload that came too late can be staged again', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const draft = draftFor(testAccount)
    const staged = await stage(testAccount, draft)
    await testPlatform.wait(61 * 60_000)
    const late = send(testAccount, { draft, staged, handle: newHandle() })
    await expect(late).rejects.toMatchObject({ kind: 'rejected', platformCode: 'upload_expired', isTemporary: true })
    expect(tiktok.stageLastsMs).toBeLessThan(60 * 60_000)
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
  })

  describe('guarantee: what is in the inbox of the app is published only when TikTok says that a person has finished it', () => {
    const inbox = { delivery: 'inbox' } as const
    const dayMs = 86_400_000

    /** Opens an account whose name says what its person does with the inbox. */
    async function putIntoInbox(format: 'video' | 'photo', name: string) {
      const testAccount = await openTestAccount(tiktok, testPlatform, `${name}${newText().slice(-8)}`)
      const draft = draftFor(testAccount, { format, settings: { ...draftFor(testAccount).settings, ...inbox } })
      const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
      const outcome = await send(testAccount, sent)
      if (outcome.state !== 'processing') throw new Error('The post does not wait.')
      return { testAccount, sent, outcome }
    }

    test.for(['video', 'photo'] as const)('%s: finished at once, with other words and for everyone', async (format) => {
      const { testAccount, sent, outcome } = await putIntoInbox(format, 'quick-')
      expect(outcome).toMatchObject({ checkAfterMs: 5_000, finishWithinMs: dayMs })
      const settled = await waitUntilSettled(testAccount, outcome)
      expect(settled).toMatchObject({ state: 'published', warnings: [] })
      const [post, ...others] = await testPlatform.posts(testAccount.client.account.handle)
      expect([post?.text, others]).toEqual([expect.stringContaining('Written in the app'), []])
      expect(await findVisiblePosts(testAccount, sent.draft.text)).toEqual([])
      if (settled.state !== 'published') throw new Error('unreachable')
      const { metrics } = testAccount.connector
      const hasFigures = async () => (await metrics?.(testAccount.client, [settled.postId]))?.has(settled.postId)
      await expect.poll(hasFigures, { timeout: 3000 }).toBe(true)
    })

    test('a person who takes an hour is waited for, in steps of five minutes', async () => {
      const { testAccount, outcome } = await putIntoInbox('video', 'late-')
      await testPlatform.wait(5_000)
      const waiting = await testAccount.connector.check?.(testAccount.client, outcome.reference)
      expect(waiting).toMatchObject({ state: 'processing', checkAfterMs: 300_000 })
      await testPlatform.wait(3_600_000)
      expect(await testAccount.connector.check?.(testAccount.client, outcome.reference)).toMatchObject({ state: 'published' })
    })

    test('after a lost answer a video still waits, and photos are never found by their words', async () => {
      const video = await putIntoInbox('video', 'never-')
      await testPlatform.wait(5_000)
      expect(await find(video.testAccount, video.sent)).toEqual(video.outcome)
      const photo = await putIntoInbox('photo', 'quick-')
      await waitUntilSettled(photo.testAccount, photo.outcome)
      const sameWords = {
        ...photo.sent.draft,
        text: (await testPlatform.posts(photo.testAccount.client.account.handle))[0]?.text ?? '',
      }
      await expect.poll(() => find(photo.testAccount, { ...photo.sent, draft: sameWords })).toEqual({ state: 'unknown' })
    })

    test('no more than five wait: the sixth is sent later', async () => {
      const { testAccount, sent } = await putIntoInbox('video', 'never-')
      for (let n = 2; n <= 5; n++) {
        const staged = await stage(testAccount, sent.draft)
        await send(testAccount, { ...sent, staged, handle: newHandle() })
      }
      await testPlatform.wait(60_000)
      const refused = { kind: 'limited', platformCode: 'spam_risk_too_many_pending_share', reason: 'inbox_full' }
      await expect(stage(testAccount, sent.draft)).rejects.toMatchObject(refused)
      await testPlatform.wait(dayMs)
    })

    test.for(['video', 'photo'] as const)(
      '%s: without the permission the post is refused, and not the account',
      async (format) => {
        const credentials = await connectWith('quiet', auth.scopes)
        const unnamed = clientFor(tiktok, testPlatform, { id: '', handle: '' }, credentials)
        const account = await tiktok.account(unnamed)
        const publishNow = async ({ scopes, ...rest }: typeof credentials) => {
          const client = clientFor(tiktok, testPlatform, account, scopes ? { ...rest, scopes } : rest)
          const testAccount = { client, connector: tiktok, testPlatform }
          const draft = draftFor(testAccount, { format, settings: { ...draftFor(testAccount).settings, ...inbox } })
          return send(testAccount, { draft, staged: await stage(testAccount, draft), handle: newHandle() })
        }
        const refused = { kind: 'rejected', reason: 'permission_missing' }
        await expect(publishNow(credentials)).rejects.toMatchObject(refused)
        // Of an account that was connected before permissions were stored, TikTok says it.
        await expect(publishNow({ accessToken: credentials.accessToken })).rejects.toMatchObject(refused)
        const { rules } = await capabilities.read(clientFor(tiktok, testPlatform, account, credentials))
        expect(rules.choices).toMatchObject({ delivery: ['publish'] })
        const vetted = await connectWith('quiet', auth.vettedScopes ?? [])
        const able = await capabilities.read(clientFor(tiktok, testPlatform, account, vetted))
        expect(able.rules.choices).not.toHaveProperty('delivery')
      },
    )

    /** Signs in and allows these permissions. */
    async function connectWith(name: string, scopes: readonly string[]) {
      const { app } = testPlatform
      const redirectUrl = 'https://carillon.example/integrations/tiktok/callback'
      const request = { auth: { ...auth, scopes }, app, redirectUrl, state: 's', codeChallenge: null }
      const code = await testPlatform.authorize(authorizeUrl({ ...request, origin: testPlatform.origin() }), name)
      const { http } = clientFor(tiktok, testPlatform, { id: '', handle: '' }, { accessToken: '' })
      const grant = await exchangeCode({ auth, http, app, redirectUrl, code, codeVerifier: null, nowMs: testPlatform.nowMs() })
      return grant.credentials
    }
  })

  test('metrics finds the public id later', async () => {
    const testAccount = await openTestAccount(tiktok, testPlatform)
    const postId = await publishAndGetId(testAccount, draftFor(testAccount))
    await expect
      .poll(async () => (await testAccount.connector.metrics?.(testAccount.client, [postId]))?.has(postId), { timeout: 3000 })
      .toBe(true)
  })
})
