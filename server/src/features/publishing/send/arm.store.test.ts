import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../../posts/post-api.fixture.ts'
import { holdPost } from './arm.store.ts'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-hold-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Guarantee: a post that was held because it was late keeps everything that it needs to be published again. */
test('a held post can be published as it was', async () => {
  const { workspaceId, ctx, first, second } = api
  await ctx.db.system.updateTable('workspace').where('id', '=', workspaceId).set({ hold_if_late_minutes: 10 }).execute()
  const medias = [await api.uploadPhoto(), await api.uploadPhoto()]
  const own = await api.uploadPhoto()
  const platformOptions = { [first]: { medias: [own], visibility: 'unlisted' } }
  const fields = { text: 'Hello', firstComment: 'First!', medias, mediaOptions: [{ alt: 'A bell' }, {}], platformOptions }
  const id = await api.create({
    ...fields,
    connections: [first, second],
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const before = await api.get(id)
  await api.setPost(id, { scheduled_at: new Date(Date.now() - 3_600_000) })
  await api.setChannel(id, { due_at: new Date(Date.now() - 3_600_000) })
  const left = {
    staged: '{"id":"old"}',
    staged_at: new Date(),
    tries: 3,
    late_ms: 100_000,
    waiting_reason: 'rate_limit',
  } as const
  await api.setChannel(id, { ...left, state: 'dispatched' })
  await api.setChannel(id, { ...left, state: 'failed', finished_at: new Date(), waiting_reason: null }, second)

  const held = await ctx.db.system.transaction().execute((tx) => holdPost(tx, { workspace_id: workspaceId, id }))
  expect(held).toEqual([before.channels[0]?.id])
  const draft = await api.get(id)
  expect(draft).toMatchObject({ status: 'draft', text: 'Hello', firstComment: { text: 'First!' }, platformOptions })
  expect(draft.warnings).toEqual([expect.stringMatching(/^Held: /)])
  expect(draft.medias.map((media) => [media.id, media.alt])).toEqual(before.medias.map((media) => [media.id, media.alt]))
  for (const media of [...medias, own]) expect((await api.send('DELETE', `/media/${media}`)).error?.code).toBe('media_in_use')

  const usage = () => ctx.db.system.selectFrom('usage_month').where('workspace_id', '=', workspaceId).select('posts').execute()
  const counted = await usage()
  const { data } = await api.send('POST', `/content/${id}/publish`)
  expect(data).toMatchObject({ status: 'publishing', platformOptions, warnings: [] })
  expect(await usage()).toEqual(counted)
  const fresh = {
    state: 'scheduled',
    staged: null,
    tries: 0,
    late_ms: null,
    waiting_reason: null,
    finished_at: null,
    error: null,
  }
  expect(await api.channels(id)).toMatchObject([
    { ...fresh, media_count: 1, parts: 2, needs_stage: true },
    { ...fresh, media_count: 2, parts: 2, needs_stage: true },
  ])
})

/** Guarantee: once one channel of a post may be public, the others are sent too, however late. */
test.each(['submitting', 'confirming', 'published', 'unconfirmed'] as const)(
  'a post with a channel that is %s is not held',
  async (state) => {
    const { workspaceId, ctx, first, second } = api
    await ctx.db.system.updateTable('workspace').where('id', '=', workspaceId).set({ hold_if_late_minutes: 10 }).execute()
    const id = await api.create({ connections: [first, second], text: `One is ${state}` })
    const due_at = new Date(Date.now() - 3_600_000)
    const finished = state === 'published' || state === 'unconfirmed' ? { finished_at: new Date() } : {}
    await api.setChannel(id, { state: 'dispatched', due_at })
    await api.setChannel(id, { state, due_at, ...finished }, second)
    const hold = () => ctx.db.system.transaction().execute((tx) => holdPost(tx, { workspace_id: workspaceId, id }))
    expect(await hold()).toEqual([])
    // The control: with the other channel failed, the same post is held.
    await api.setChannel(id, { state: 'failed', finished_at: new Date() }, second)
    expect(await hold()).toHaveLength(1)
  },
)
