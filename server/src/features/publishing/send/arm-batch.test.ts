import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { armBatch } from './arm-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** A job may be repeated or delayed by the engine; the channel may have been claimed again meanwhile. */
test('guarantee: a job of an earlier generation sets no guard', async () => {
  const world = await openPublisher(database, { x: {} })
  const id = await world.create('claimed twice')
  const [batch] = await world.claim()
  await world.ctx.db.system
    .updateTable('channel')
    .where('post_id', '=', id)
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .execute()
  const { send, ask } = await armBatch(world.ctx, batch?.refs ?? [])
  expect(send).toEqual([])
  expect(ask).toEqual([])
  expect(await world.states(id)).toEqual(['pending'])
  await world.close()
})

/** PostgreSQL has just restarted, or a standby has taken over, and no worker has compared it with its witnesses yet. */
test('guarantee: a job that comes before the database was compared sets no guard and returns in a moment', async () => {
  const world = await openPublisher(database, { x: {} })
  const id = await world.create('due during a failover')
  const [batch] = await world.claim()
  await world.ctx.db.system
    .updateTable('channel')
    .where('post_id', '=', id)
    .set({ dispatch_at: new Date(Date.now() - 5000) })
    .execute()
  await sql`update cell set open_on = now() - interval '1 hour'`.execute(world.ctx.db.system)
  const { send, early } = await armBatch(world.ctx, batch?.refs ?? [])
  expect(send).toEqual([])
  expect(early).toMatchObject([{ waitMs: 500 }])
  await sql`update cell set open_on = null`.execute(world.ctx.db.system)
  expect((await armBatch(world.ctx, batch?.refs ?? [])).send).toHaveLength(1)
  await world.close()
})

/** The engine counts delays by its own clock, which may be ahead of the database's. */
test('guarantee: a job that runs too early sets no guard and is told how long to wait', async () => {
  const world = await openPublisher(database, { x: {} })
  const id = await world.create('early')
  const [batch] = await world.claim()
  await world.ctx.db.system
    .updateTable('channel')
    .where('post_id', '=', id)
    .set({ dispatch_at: new Date(Date.now() + 60_000) })
    .execute()
  const { send, early } = await armBatch(world.ctx, batch?.refs ?? [])
  expect(send).toEqual([])
  expect(early).toHaveLength(1)
  expect(early[0]?.waitMs).toBeGreaterThan(50_000)
  expect(await world.states(id)).toEqual(['pending'])
  await world.close()
})
