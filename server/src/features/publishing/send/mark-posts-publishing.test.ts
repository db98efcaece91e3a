import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../../posts/post-api.fixture.ts'
import type { LoadedChannel } from '../open-channel.ts'
import { lockPosts, noValues, settleChannels, type Settlement } from '../settle/settle.store.ts'
import { updatePostStatuses } from '../../posts/update-post-statuses.ts'
import { loadChannel } from './arm.store.ts'
import { markPostsPublishing } from './arm-batch.ts'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-events-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A post whose only channel is being sent and was not marked yet. */
async function createSubmitting(): Promise<{ id: string; loaded: LoadedChannel; settlement: Settlement }> {
  const id = await api.create()
  await api.setChannel(id, { state: 'submitting' })
  const [channel] = await api.channels(id)
  const ref = { workspaceId: api.workspaceId, channelId: channel?.id ?? '', generation: channel?.generation ?? 0, epoch: 1 }
  const { loaded } = await loadChannel(api.ctx.db.system, ref, { states: ['submitting'] })
  if (!loaded) throw new Error('the channel was not loaded')
  return { id, loaded, settlement: { ...noValues, ref, postId: id, state: 'failed' } }
}

/** Settles in a transaction that stays open until `beforeCommit` is done. */
const settle = (settlement: Settlement, beforeCommit = () => Promise.resolve()) =>
  api.ctx.db.system.transaction().execute(async (tx) => {
    await lockPosts(tx, [settlement])
    await updatePostStatuses(tx, await settleChannels(tx, [settlement]), api.ctx.nowMs())
    await beforeCommit()
  })

async function eventsOf(id: string): Promise<string[]> {
  const rows = await api.ctx.db.system
    .selectFrom('outbox_event')
    .where('post_id', '=', id)
    .select(['id', 'event'])
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

/** Guarantee: `upload.publishing` is never recorded after the event that ends the post. */
test('the start is recorded before the end', async () => {
  const { id, loaded, settlement } = await createSubmitting()
  await markPostsPublishing(api.ctx, [loaded])
  await settle(settlement)
  expect(await eventsOf(id)).toEqual(['upload.publishing', 'channel.failed', 'upload.failed'])
})

test('the start is not recorded after the end', async () => {
  const { id, loaded, settlement } = await createSubmitting()
  await settle(settlement)
  await markPostsPublishing(api.ctx, [loaded])
  expect(await eventsOf(id)).toEqual(['channel.failed', 'upload.failed'])
  expect((await api.get(id)).status).toBe('failed')
})

test('the start is not recorded if the post ends while it is being marked', async () => {
  const { id, loaded, settlement } = await createSubmitting()
  let marking = Promise.resolve()
  await settle(settlement, async () => {
    marking = markPostsPublishing(api.ctx, [loaded])
    // Long enough for the other transaction to wait for the lock on the post.
    await new Promise((resolve) => setTimeout(resolve, 300))
  })
  await marking
  expect(await eventsOf(id)).toEqual(['channel.failed', 'upload.failed'])
})
