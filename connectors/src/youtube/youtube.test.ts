import { writeWarning } from '@carillon/contract'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  stage,
  type TestAccount,
} from '../kit/conformance/test-account.ts'
import type { Draft } from '../kit/connector.ts'
import { createHttp } from '../kit/create-http.ts'
import { keepReply } from '../kit/check-app.ts'
import { authorizeUrl } from '../kit/oauth2.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { compareVideo } from './find.ts'
import { videoTitle } from './upload.ts'
import { youtube } from './youtube.ts'

testConnector(youtube, simulate('youtube', { showsAlt: false }))

const step = 256 * 1024
const platform = 'YouTube'

describe('special to YouTube', () => {
  const testPlatform = simulate('youtube', { showsAlt: false })
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** An account whose name makes the simulated platform behave in a special way. */
  async function openNamed(name: string): Promise<TestAccount> {
    const { account, credentials } = await testPlatform.connect(`${name}-${crypto.randomUUID().slice(0, 8)}`)
    return { client: clientFor(youtube, testPlatform, account, credentials), connector: youtube, testPlatform }
  }

  /** A video of this size, which must be streamed: reading it whole fails. */
  function draftOfSize(testAccount: TestAccount, sizeBytes: number): { draft: Draft; streamedFrom: number[] } {
    const bytes = new Uint8Array(sizeBytes)
    bytes.set(testPlatform.files.video.bytes.subarray(0, Math.min(sizeBytes, 1000)))
    const streamedFrom: number[] = []
    const draft = draftFor(testAccount)
    const media = draft.media.map((file) => ({
      ...file,
      sizeBytes,
      read: () => Promise.reject(new Error('The whole file was read.')),
      async stream(fromByte = 0) {
        streamedFrom.push(fromByte)
        return new Blob([bytes.subarray(fromByte)]).stream()
      },
    }))
    return { draft: { ...draft, media }, streamedFrom }
  }

  const withSettings = (draft: Draft, settings: Record<string, unknown>): Draft => ({
    ...draft,
    settings: { ...draft.settings, ...settings },
  })

  /** Guarantee: nothing exists before the last byte; only the last piece is read for it, and no file is whole in memory. */
  test.for([1, step, step + 1, 9_000_000, 32 * step, 64 * step + 7])('a video of %i bytes', async (sizeBytes) => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const { draft, streamedFrom } = draftOfSize(testAccount, sizeBytes)
    const staged = await stage(testAccount, draft)
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(0)
    const lastPiece = Math.floor((sizeBytes - 1) / step) * step
    await send(testAccount, { draft, staged, handle: newHandle() })
    expect(await findVisiblePosts(testAccount, draft.text)).toMatchObject([{ media: [{ mime: 'video/mp4' }] }])
    expect(streamedFrom).toEqual(lastPiece === 0 ? [0] : [0, lastPiece])
  })

  /** Guarantee: an upload of which YouTube kept less than was sent goes on where it ended. */
  test('a server that keeps a part of each chunk', async () => {
    const testAccount = await openNamed('partial')
    const { draft } = draftOfSize(testAccount, 40 * step + 5)
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  /** Guarantee: the same upload makes one video, however often its last piece is sent. */
  test('a repeated send names the first video', async () => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = draftFor(testAccount)
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    expect(await send(testAccount, sent)).toEqual(await send(testAccount, sent))
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  /** Guarantee: an upload that YouTube forgot is started again, but proves nothing about a video that may have been sent. */
  test('an upload that has expired', async () => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = draftFor(testAccount)
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    await testPlatform.wait(8 * 86_400_000)
    const credentials = await auth.renew?.({ ...testAccount.client, app: testPlatform.app, nowMs: testPlatform.nowMs() })
    if (!credentials) throw new Error('The token was not renewed.')
    const later = { ...testAccount, client: clientFor(youtube, testPlatform, testAccount.client.account, credentials) }
    expect(await find(later, sent)).toEqual({ state: 'unknown' })
    const late = later.connector.submit(later.client, draft, sent.staged, sent.handle)
    await expect(late).rejects.toMatchObject({ kind: 'rejected', platformCode: 'upload_expired', isTemporary: true })
    expect(youtube.stageLastsMs).toBeLessThan(7 * 86_400_000)
    await expect(publish(later, draft)).resolves.toMatchObject({ state: 'published' })
  })

  /** Guarantee: a person is told that nobody else sees a video, unless they wanted that, however its outcome was learned. */
  test('a project that was not audited', async () => {
    await testPlatform.change({ audited: false })
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = draftFor(testAccount)
    const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
    const warned = { state: 'published', warnings: [writeWarning('kept_private', { platform })] }
    expect(await publish(testAccount, draftFor(testAccount))).toMatchObject(warned)
    await send(testAccount, sent)
    await testPlatform.wait(1000)
    expect(await find(testAccount, sent)).toMatchObject(warned)
    const chosen = withSettings(draftFor(testAccount), { privacy: 'private' })
    expect(await publish(testAccount, chosen)).toMatchObject({ state: 'published', warnings: [] })
    await testPlatform.change({ audited: true })
    expect(await publish(testAccount, draftFor(testAccount))).toMatchObject({ state: 'published', warnings: [] })
  })

  test('a video that cannot be converted is refused with the reason', async () => {
    await testPlatform.change({ processingFails: true })
    const testAccount = await openTestAccount(youtube, testPlatform)
    const failing = publish(testAccount, draftFor(testAccount))
    await expect(failing).rejects.toMatchObject({ kind: 'rejected', platformCode: 'conversion' })
    await testPlatform.change({ processingFails: false })
  })

  /** Guarantee: a film that is converted for hours is published, because it can be opened, and says so. */
  test('a video that is converted for hours', async () => {
    await testPlatform.change({ processingMs: 5 * 3_600_000 })
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = draftFor(testAccount)
    const outcome = await send(testAccount, { draft, staged: await stage(testAccount, draft), handle: newHandle() })
    if (outcome.state !== 'processing') throw new Error('The video is not processing.')
    const check = () => youtube.check?.(testAccount.client, outcome.reference)
    await testPlatform.wait(25 * 60_000)
    expect(await check()).toMatchObject({ state: 'processing' })
    await testPlatform.wait(6 * 60_000)
    const warnings = [writeWarning('video_converted_late', { platform })]
    expect(await check()).toMatchObject({ state: 'published', warnings })
    await testPlatform.change({ processingMs: 500 })
  })

  test('what was chosen is what YouTube is told', async () => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const chosen = {
      privacy: 'unlisted',
      audience: 'kids',
      tags: ['bells', 'old towers'],
      category: '10',
      playlistId: 'PLbells0123456789',
    }
    const draft = { ...withSettings(draftFor(testAccount), chosen), title: 'On the hour' }
    expect(await publish(testAccount, draft)).toMatchObject({ state: 'published', warnings: [] })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.options).toMatchObject({
      'snippet.tags': 'bells, old towers',
      'snippet.categoryId': '10',
      'status.selfDeclaredMadeForKids': 'yes',
      playlist: 'PLbells0123456789',
    })
  })

  /** Guarantee: nothing is declared in a person's name, neither about kids nor about AI. */
  test('nothing is declared that was not chosen', async () => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = draftFor(testAccount)
    await publish(testAccount, draft)
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(Object.keys(seen?.options ?? {})).toEqual([])
  })

  /** Guarantee: after the video exists, nothing makes the post fail. */
  test('a playlist that is refused is a warning', async () => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = withSettings(draftFor(testAccount), { playlistId: 'PLmissing0123456789' })
    const warnings = [writeWarning('playlist_refused', { platform })]
    expect(await publish(testAccount, draft)).toMatchObject({ state: 'published', warnings })
  })

  test('a video for kids takes no comment', async () => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const postId = await publishAndGetId(testAccount, withSettings(draftFor(testAccount), { audience: 'kids' }))
    const comment = publish(testAccount, draftFor(testAccount, { replyTo: { postId } }))
    await expect(comment).rejects.toMatchObject({ kind: 'rejected', reason: 'comments_off' })
  })

  test.for([
    { title: 'a < b', kind: 'rejected', reason: 'title_refused' },
    { text: '<b>Bells</b>', kind: 'rejected', reason: 'text_refused' },
    { settings: { tags: Array.from({ length: 50 }, () => 'ten letters') }, kind: 'rejected', reason: 'tags_refused' },
  ])('refused before anything is uploaded: $reason', async ({ kind, reason, settings = {}, ...texts }) => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = { ...withSettings(draftFor(testAccount), settings), ...texts }
    await expect(stage(testAccount, draft)).rejects.toMatchObject({ kind, reason })
  })

  test('limits of the channel and of the project are waits', async () => {
    const busy = await openNamed('busy')
    await expect(stage(busy, draftFor(busy))).rejects.toMatchObject({ kind: 'limited', reason: 'day_limit' })
    await testPlatform.change({ limits: { uploads: { max: 0 } } })
    const used = await openTestAccount(youtube, testPlatform)
    await expect(stage(used, draftFor(used))).rejects.toMatchObject({ kind: 'limited', reason: 'app_quota_used' })
    await testPlatform.change({ limits: { uploads: { max: 100 } } })
  })

  test('an account without a channel cannot be connected', async () => {
    const { client } = await openNamed('nochannel')
    await expect(youtube.account(client)).rejects.toMatchObject({ kind: 'auth', reason: 'channel_missing' })
  })

  /** Guarantee: a number that a channel hides is unknown, although the answer has a 0. */
  test('the subscribers of a channel that hides them are not counted as none', async () => {
    const { client } = await openNamed('hidden')
    expect(await youtube.account(client)).not.toHaveProperty('followers')
  })

  /** Guarantee: a Short is one. YouTube decides by the form of the video alone. */
  test.for([
    { width: 1080, height: 1920, durationSeconds: 180, isShort: true },
    { width: 1920, height: 1080, durationSeconds: 20, isShort: false },
    { width: 1080, height: 1920, durationSeconds: 181, isShort: false },
  ])('$width × $height, $durationSeconds s', async ({ isShort, ...form }) => {
    const testAccount = await openTestAccount(youtube, testPlatform)
    const draft = draftFor(testAccount, { format: 'short_video' })
    const media = draft.media.map((file) => ({ ...file, ...form }))
    const ended = await stage(testAccount, { ...draft, media }).then(
      () => 'staged',
      (error: unknown) => (error instanceof PlatformError ? `${error.kind}: ${error.message}` : error),
    )
    expect(ended).toMatch(isShort ? /^staged$/ : /^rejected: .*Short/)
    await expect(stage(testAccount, { ...draft, format: 'video', media })).resolves.not.toBeNull()
  })

  test('Google is asked about the developer app', async () => {
    const right = { clientId: 'the-right-id', clientSecret: 'the-right-secret' }
    const redirectUrl = 'https://carillon.example/callback'
    await testPlatform.change({ app: { ...right, redirectUris: [redirectUrl] } })
    const origin = testPlatform.origin()
    const ask = async (app = right, redirect = redirectUrl) => {
      const { transport } = testPlatform
      const http = createHttp({ transport, origin, credentials: null, classify: keepReply, nowMs: Date.now })
      const page = authorizeUrl({ auth, origin, app, redirectUrl: redirect, state: 's', codeChallenge: 'c' })
      const told = await youtube.checkApp?.(http, { app, redirectUrl: redirect, authorizeUrl: page })
      return [told?.app.outcome, told?.redirect.outcome]
    }
    expect(await ask()).toEqual(['accepted', 'unknown'])
    expect(await ask({ ...right, clientSecret: 'another' })).toEqual(['refused', 'unknown'])
    expect((await ask({ ...right, clientId: 'another' }))[0]).toBe('refused')
    expect(await ask(right, `${redirectUrl}/`)).toEqual(['accepted', 'refused'])
    await testPlatform.change({ app: null })
  })
})

test('the defaults', () => {
  expect(Value.Default(youtube.settings, {})).toEqual({
    privacy: 'public',
    audience: 'channel',
    notifySubscribers: true,
    aiGenerated: false,
  })
})

test.for([
  [{ title: 'Bells', text: 'On the hour' }, 'Bells'],
  [{ title: null, text: '\n <b>On</b> the hour\nand the half' }, 'bOn/b the hour'],
  [{ title: ' ', text: 'a'.repeat(120) }, 'a'.repeat(100)],
  [{ title: null, text: ' ' }, null],
] as const)('the title of %o is %s', ([draft, title]) => {
  expect(videoTitle(draft)).toBe(title)
})

/** Guarantee: only a video with our title and our description is ours. */
test.for([
  [{ title: 'Bells', text: 'One' }, { title: 'Bells', description: 'One' }, 'same'],
  [{ title: 'Bells', text: 'One' }, { title: 'Towers', description: 'One' }, 'other'],
  [{ title: 'Bells', text: 'One' }, { title: 'Bells', description: 'Two' }, 'other'],
  [{ title: 'Bells', text: '' }, { title: 'Bells', description: '' }, 'maybe'],
] as const)('%o / %o is %s', ([draft, shown, match]) => {
  expect(compareVideo(draft, shown)).toBe(match)
})
