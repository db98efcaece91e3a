import { writeWarning } from '@carillon/contract'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  clientFor,
  draftFor,
  findVisiblePosts,
  mediaFor,
  newHandle,
  openTestAccount,
  publish,
  send,
  stage,
  type TestAccount,
} from '../kit/conformance/test-account.ts'
import type { TestPlatform } from '../kit/conformance/test-platform.ts'
import { testConnector } from '../kit/test-connector.ts'
import { bluesky } from './bluesky.ts'
import { manifest } from './manifest.ts'
import { collection, parsePostId } from './stage.ts'

const handleOf = (name: string) => `${name}.example.com`

testConnector(bluesky, simulate('bluesky', { handleOf }))

describe('special to Bluesky', () => {
  const testPlatform = simulate('bluesky', { handleOf })
  beforeAll(() => testPlatform.start())
  afterAll(() => testPlatform.stop())

  /** Guarantee: a post has the time of its sending, although its key is older, and a repeat does not change it. */
  test('the time of a scheduled post', async () => {
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const draft = draftFor(testAccount)
    const handle = newHandle()
    const outcome = await publish(testAccount, draft, handle)
    if (outcome.state !== 'published') throw new Error('The post is not published.')
    const read = () => {
      const query = { ...parsePostId(outcome.postId), collection }
      const returns = Type.Object({ cid: Type.String(), value: Type.Object({ createdAt: Type.String() }) })
      return testAccount.client.http.call({ method: 'GET', path: '/xrpc/com.atproto.repo.getRecord', query, returns })
    }
    const first = await read()
    expect(Date.now() - Date.parse(first.value.createdAt)).toBeLessThan(60_000)
    expect(await publish(testAccount, draft, handle)).toEqual(outcome)
    expect(await read()).toEqual(first)
    expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
  })

  /** Guarantee: people never see a post whose video is missing. The post follows when Bluesky has converted the video. */
  test('a video is converted before the post', async () => {
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const draft = videoDraft(testAccount)
    const staged = await stage(testAccount, draft)
    expect(staged).toMatchObject({ blobs: [{ mimeType: 'video/mp4' }] })
    await expect(send(testAccount, { draft, staged, handle: newHandle() })).resolves.toMatchObject({ warnings: [] })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.media).toMatchObject([{ alt: 'A bell rings' }])
  })

  test('a video that takes long is waited for, and is uploaded once', async () => {
    await testPlatform.change({ processingMs: 120_000 })
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const draft = videoDraft(testAccount)
    const staged = await stage(testAccount, draft)
    expect(staged).toMatchObject({ blobs: [], job: { jobId: expect.any(String) } })
    await expect(bluesky.submit(testAccount.client, draft, staged, newHandle())).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'file_processing',
      waitsMs: expect.any(Array),
    })
    await expect(send(testAccount, { draft, staged, handle: newHandle() })).resolves.toMatchObject({ state: 'published' })
    await testPlatform.change({ processingMs: 500 })
  })

  /** Guarantee: an upload whose answer was lost is not a second video, and Bluesky calling it an error is not one. */
  test('a video that Bluesky already has is used as it is', async () => {
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const first = await stage(testAccount, videoDraft(testAccount))
    expect(await stage(testAccount, videoDraft(testAccount))).toMatchObject({ blobs: first?.['blobs'] })
  })

  test('a video that cannot be converted is refused, and nothing is published', async () => {
    await testPlatform.change({ processingFails: true })
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const draft = videoDraft(testAccount)
    await expect(publish(testAccount, draft)).rejects.toMatchObject({
      kind: 'rejected',
      reason: 'file_unprocessed',
      isTemporary: false,
    })
    expect(await findVisiblePosts(testAccount, draft.text)).toEqual([])
    await testPlatform.change({ processingFails: false })
  })

  test('an account that has posted its videos of the day waits', async () => {
    await testPlatform.change({ limits: { videos: { max: 0 } } })
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const error = { kind: 'limited', reason: 'day_limit', retryAfterMs: 3_600_000 }
    await expect(stage(testAccount, videoDraft(testAccount))).rejects.toMatchObject(error)
    await testPlatform.change({ limits: { videos: { max: 25 } } })
  })

  /** Guarantee: a server of one's own that the video service cannot serve still gets videos, and the person is told the difference. */
  test.for(['missing', 'cannot-store'])(
    'a server whose video service is %s gets the file itself, with a warning',
    async (videoService) => {
      await testPlatform.change({ videoService })
      const testAccount = await openTestAccount(bluesky, testPlatform)
      const draft = videoDraft(testAccount)
      const warnings = [writeWarning('video_converted_late', { platform: 'Bluesky' })]
      await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings })
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      expect(seen?.media).toHaveLength(1)
      await testPlatform.change({ videoService: 'working' })
    },
  )

  test('a video that is too large for the server of the account is refused by name', async () => {
    await testPlatform.change({ blobBytesMax: 50_000 })
    const testAccount = await openTestAccount(bluesky, testPlatform)
    await expect(publish(testAccount, videoDraft(testAccount))).rejects.toMatchObject({
      kind: 'rejected',
      reason: 'file_too_large',
    })
    await testPlatform.change({ blobBytesMax: 100_000_000 })
  })

  /** Guarantee: the sign-in of an account goes to no server but its own; the video service gets a signature for one upload to that server. */
  test('an account of bsky.social uses the public video service, in the name of its own server', async () => {
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const { account, credentials } = testAccount.client
    const own = testPlatform.origin()
    const calls: { url: URL; authorization: string }[] = []
    const elsewhere: TestPlatform = {
      ...testPlatform,
      origin: () => 'https://bsky.social',
      async transport(request) {
        const url = new URL(request.url)
        calls.push({ url, authorization: request.headers['authorization'] ?? '' })
        const reply = await testPlatform.transport({ ...request, url: `${own}${url.pathname}${url.search}` })
        return { ...reply, text: async (max) => (await reply.text(max)).replaceAll(own, 'https://morel.host.bsky.example') }
      },
    }
    const client = clientFor(bluesky, elsewhere, account, credentials)
    expect(await stage({ ...testAccount, client }, videoDraft(testAccount))).toMatchObject({ blobs: [{ mimeType: 'video/mp4' }] })

    const hostsOf = (name: string) => calls.filter(({ url }) => url.pathname.endsWith(name)).map(({ url }) => url.host)
    expect(hostsOf('uploadVideo')).toEqual(['video.bsky.app'])
    expect(hostsOf('getUploadLimits')).toEqual(['video.bsky.app'])
    expect(hostsOf('describeServer')).toEqual(['morel.host.bsky.example'])
    const withSession = calls.filter(({ authorization }) => authorization.includes(credentials.accessToken))
    expect(new Set(withSession.map(({ url }) => url.host))).toEqual(new Set(['bsky.social']))
    const signed = calls
      .filter(({ url }) => url.pathname.endsWith('getServiceAuth'))
      .map(({ url }) => url.searchParams.get('aud'))
    expect(signed).toEqual(['did:web:video.bsky.app', 'did:web:127.0.0.1'])
  })

  test('more than four images are a gallery, in their order', async () => {
    const testAccount = await openTestAccount(bluesky, testPlatform)
    const alts = Array.from({ length: manifest.photos.max }, (_, at) => `Bell ${at}`)
    const image = (alt: string) => ({ ...mediaFor(testPlatform, 'image', alt), width: alt === 'Bell 3' ? null : 640 })
    const draft = draftFor(testAccount, { format: 'photo_carousel', media: alts.map(image) })
    await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings: [] })
    const [seen] = await findVisiblePosts(testAccount, draft.text)
    expect(seen?.media.map(({ alt }) => alt)).toEqual(alts)
  })
})

function videoDraft(testAccount: TestAccount) {
  return draftFor(testAccount, { format: 'video', media: [mediaFor(testAccount.testPlatform, 'video', 'A bell rings')] })
}
