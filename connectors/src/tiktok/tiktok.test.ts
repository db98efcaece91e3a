import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  newHandle,
  openActor,
  publish,
  publishedId,
  seenPosts,
  send,
  settled,
  stage,
} from '../kit/conformance/actor.ts'
import { testConnector } from '../kit/test-connector.ts'
import { auth } from './auth.ts'
import { tiktok } from './tiktok.ts'

const settings = { privacyLevel: 'PUBLIC_TO_EVERYONE' }

testConnector(tiktok, simulate('tiktok', { settings, showsAlt: false }))

describe('what only TikTok does', () => {
  const world = simulate('tiktok', { settings, showsAlt: false })
  beforeAll(() => world.start())
  afterAll(() => world.stop())

  /** Guarantee: a video is processing until TikTok says otherwise, and nothing is published before its last byte. */
  test('a large video goes up before its time, except for the last piece', async () => {
    const actor = await openActor(tiktok, world)
    const bytes = new Uint8Array(21_000_000)
    bytes.set(world.files.video.bytes)
    const plain = draftFor(actor)
    const [media] = plain.media
    if (!media) throw new Error('There is no video.')
    const stream = async () => new Blob([bytes]).stream()
    const draft = { ...plain, media: [{ ...media, sizeBytes: bytes.length, stream, read: async () => bytes }] }
    const staged = await stage(actor, draft)
    expect(await seenPosts(actor, draft.text)).toHaveLength(0)
    const outcome = await send(actor, { draft, staged, handle: newHandle() })
    expect(outcome).toMatchObject({ state: 'processing', reference: expect.stringContaining('v_pub_file') })
    expect(await settled(actor, outcome)).toMatchObject({ state: 'published' })
    expect(await seenPosts(actor, draft.text)).toHaveLength(1)
  })

  /** Guarantee: photos whose answer was lost are found among the public posts, or honestly unknown; they are never sent again. */
  test('lost photos', async () => {
    const actor = await openActor(tiktok, world)
    const draft = draftFor(actor, { format: 'photo' })
    const sent = { draft, staged: await stage(actor, draft), handle: newHandle() }
    await world.failNext(actor.client.account.handle, 'submit', { kind: 'drop_after' })
    await expect(send(actor, sent)).rejects.toMatchObject({ kind: 'unknown' })
    const connector = actor.connector
    await expect.poll(() => connector.find?.(actor.client, sent), { timeout: 3000 }).toMatchObject({ state: 'published' })
    const unsent = { ...sent, draft: draftFor(actor, { format: 'photo' }) }
    expect(await connector.find?.(actor.client, unsent)).toEqual({ state: 'unknown' })
  })

  /** Guarantee: a private post is published though it has no public id, and is linked by the profile. */
  test('a post for nobody else', async () => {
    const actor = await openActor(tiktok, world)
    const draft = draftFor(actor)
    const outcome = await publish(actor, { ...draft, settings: { ...draft.settings, privacyLevel: 'SELF_ONLY' } })
    expect(outcome).toMatchObject({ state: 'published', postUrl: `https://www.tiktok.com/@${actor.client.account.handle}` })
    expect(await actor.connector.metrics?.(actor.client, ['v_pub_file~unknown'])).toEqual(new Map())
  })

  /** Guarantee: what the account does not offer is refused before anything is uploaded. */
  test('an audience the account does not have', async () => {
    const actor = await openActor(tiktok, world)
    const draft = draftFor(actor)
    const chosen = { ...draft, settings: { ...draft.settings, privacyLevel: 'FOLLOWER_OF_CREATOR' } }
    await expect(stage(actor, chosen)).rejects.toMatchObject({ kind: 'rejected', platformCode: 'privacy_level_option_mismatch' })
  })

  /** Guarantee: a refresh token that is spent means reconnecting, though TikTok says it under status 200. */
  test('a spent refresh token is auth', async () => {
    const { client } = await openActor(tiktok, world)
    const renewal = { http: client.http, credentials: client.credentials, app: world.app, nowMs: Date.now() }
    await auth.renew?.(renewal)
    await expect(auth.renew?.(renewal)).rejects.toMatchObject({ kind: 'auth', platformCode: 'invalid_grant' })
  })

  test('the public id is learned later', async () => {
    const actor = await openActor(tiktok, world)
    const postId = await publishedId(actor, draftFor(actor))
    await expect
      .poll(async () => (await actor.connector.metrics?.(actor.client, [postId]))?.has(postId), { timeout: 3000 })
      .toBe(true)
  })
})
