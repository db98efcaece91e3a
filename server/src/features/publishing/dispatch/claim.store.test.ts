import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { countDiscardedRows } from '../../../infra/db/count-pages.fixture.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { claimDue } from './claim.store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

test('guarantee: a workspace with a crowd of due channels does not take the turns of the others', async () => {
  const crowd = await openPublisher(database, { x: {} })
  const small = await openPublisher(database, { x: {} })
  for (let n = 0; n < 40; n++) await crowd.create(`crowd ${n}`)
  await small.create('small')
  const claimed = await claimDue(crowd.ctx.db.system, { horizonMs: 0, limit: 10 })
  expect(claimed).toHaveLength(10)
  expect(claimed.filter(({ workspaceId }) => workspaceId === small.workspaceId)).toHaveLength(1)
  await Promise.all([crowd.close(), small.close()])
})

test('guarantee: two workers claim different channels', async () => {
  const world = await openPublisher(database, { x: {} })
  for (let n = 0; n < 20; n++) await world.create(`post ${n}`)
  const rounds = await Promise.all([1, 2, 3].map(() => claimDue(world.ctx.db.system, { horizonMs: 0, limit: 20 })))
  const ids = rounds
    .flat()
    .filter(({ workspaceId }) => workspaceId === world.workspaceId)
    .map(({ channelId }) => channelId)
  expect(new Set(ids).size).toBe(ids.length)
  await world.close()
})

test('guarantee: a channel is not claimed before its wait is over', async () => {
  const world = await openPublisher(database, { x: {} })
  const id = await world.create('waits')
  await world.ctx.db.system
    .updateTable('channel')
    .where('post_id', '=', id)
    .set({ not_before: new Date(Date.now() + 180_000) })
    .execute()
  const claim = async () =>
    (await claimDue(world.ctx.db.system, { horizonMs: 120_000, limit: 100 })).filter(
      ({ workspaceId }) => workspaceId === world.workspaceId,
    )
  expect(await claim()).toEqual([])
  await world.ctx.db.system
    .updateTable('channel')
    .where('post_id', '=', id)
    .set({ not_before: new Date(Date.now() + 119_000) })
    .execute()
  expect(await claim()).toHaveLength(1)
  await world.close()
})

test('guarantee: the backlog of one platform does not take the turns of the others in its workspace', async () => {
  const world = await openPublisher(database, { mastodon: {}, x: {} })
  for (let n = 0; n < 20; n++) await world.create(`post ${n}`)
  await world.ctx.db.system
    .updateTable('channel')
    .where('workspace_id', '=', world.workspaceId)
    .where('platform', '=', 'mastodon')
    .set({ dispatch_at: new Date(Date.now() - 3_600_000) })
    .execute()
  const claimed = await claimDue(world.ctx.db.system, { horizonMs: 0, limit: 10 })
  expect(claimed.map(({ platform }) => platform).toSorted()).toEqual([...Array(5).fill('mastodon'), ...Array(5).fill('x')])
  await world.close()
})

/** Guarantee: the first burst after a calm time is claimed as fast as any. Statistics say of such a moment that nothing is due. */
test('a claim compares no channel with every other one when the statistics are of a time without due channels', async () => {
  const world = await openPublisher(database, { x: {} })
  const { db } = world.ctx
  for (let n = 0; n < 30; n++) await world.create(`post ${n}`)
  await db.system.updateTable('part').set({ state: 'published', finished_at: new Date() }).execute()
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query('analyze part')
  await owner.end()
  for (let n = 0; n < 300; n++) await world.create(`burst ${n}`)
  const discarded = await countDiscardedRows(db.system, (system) => claimDue(system, { horizonMs: 0, limit: 300 }))
  expect(discarded).toBeLessThan(5000)
  await world.close()
})
