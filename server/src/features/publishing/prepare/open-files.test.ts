import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePhoto } from '../../media/files.fixture.ts'
import { insertStoredFile, storeStream } from '../../media/upload/store-file.ts'
import { PostApi } from '../../posts/post-api.fixture.ts'
import type { LoadedChannel } from '../open-channel.ts'
import { loadChannel } from '../send/arm.store.ts'
import { sendChannel } from '../send/send-channel.ts'
import { startLease } from '../send/send-lease.ts'
import { openFiles } from './open-files.ts'
import { stageChannel } from './stage-channel.ts'

/** Guarantee: a post never goes out without one of its files, or with a file that is not its own. */

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
const deleted = 'A file of this post was deleted.'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-files-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function load(postId: string): Promise<LoadedChannel> {
  const [channel] = await api.channels(postId)
  if (!channel) throw new Error('the post has no channel')
  const ref = { workspaceId: channel.workspace_id, channelId: channel.id, generation: channel.generation, epoch: 1 }
  const { loaded } = await loadChannel(api.ctx.db.system, ref, { states: ['scheduled'] })
  if (!loaded) throw new Error('the channel was not loaded')
  return loaded
}

const remove = async (media: string) => expect((await api.send('DELETE', `/media/${media}?force=true`)).status).toBe(200)

test('a channel whose files are all there is opened with them, and a file can be read from any byte on', async () => {
  const medias = [await api.uploadPhoto(), await api.uploadPhoto()]
  const loaded = await load(await api.create({ medias, scheduledAt: tomorrow }))
  const { media, violations } = await openFiles(api.ctx, loaded)
  expect([media.length, violations]).toEqual([2, []])
  const [file] = media
  if (!file) throw new Error('there is no file')
  const whole = Buffer.from(await file.read())
  for (const fromByte of [0, 100, whole.length - 1])
    expect((await buffer(await file.stream(fromByte))).equals(whole.subarray(fromByte))).toBe(true)
})

test.each([1, 2])('a send fails with the reason if %i of two files were deleted', async (count) => {
  const medias = [await api.uploadPhoto(), await api.uploadPhoto()]
  const loaded = await load(await api.create({ medias, scheduledAt: tomorrow }))
  for (const id of medias.slice(0, count)) await remove(id)
  expect((await openFiles(api.ctx, loaded)).violations).toEqual([deleted])
  const result = await sendChannel(api.ctx, loaded, startLease())
  expect(result).toMatchObject({ kind: 'failed', error: { code: 'media_unusable', message: deleted } })
})

test('the common files do not take the place of a connection’s own file that was deleted', async () => {
  const [common, own] = [await api.uploadPhoto(), await api.uploadPhoto()]
  const platformOptions = { [api.first]: { medias: [own] } }
  const loaded = await load(await api.create({ medias: [common], platformOptions, scheduledAt: tomorrow }))
  expect((await openFiles(api.ctx, loaded)).violations).toEqual([])
  await remove(own)
  expect(await openFiles(api.ctx, loaded)).toEqual({ media: [], violations: [deleted], announced: [] })
})

test('a channel whose file cannot be converted does not say that it was', async () => {
  const { workspaceId, ctx } = api
  const source = Readable.from([await makePhoto({ gps: true })])
  const file = await storeStream(ctx, { workspaceId, name: 'place.jpg', source })
  await ctx.db.tenant(workspaceId, (tx) => insertStoredFile(ctx, tx, file))
  const id = await api.create({ medias: [file.row.id], scheduledAt: tomorrow, title: 'Bells' })
  const readChannel = async () => (await api.channels(id))[0]
  const kept = 'Mastodon has no title; the title will be left out.'
  expect((await readChannel())?.warnings).toEqual([kept, expect.stringContaining('was removed')])

  await ctx.storage.put(file.row.storage_key, Readable.from([Buffer.from('no picture')]), { mimeType: 'image/jpeg' })
  await api.setChannel(id, { state: 'dispatched' })
  const { id: channelId = '', generation = 0 } = (await readChannel()) ?? {}
  await stageChannel(ctx, { workspaceId, channelId, generation, epoch: 1 })
  expect(await readChannel()).toMatchObject({ state: 'failed', error: { code: 'media_unusable' }, warnings: [kept] })
})
