import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { startProxy } from '../../../../test/start-proxy.ts'
import type { Context } from '../../../context.ts'
import { createResources } from '../../../infra/resources/create-resources.ts'
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

/** The connection breaks, or the primary is lost, at the moment of the commit. Nothing was sent, and only this process knows that. */
test('guarantee: a guard whose commit was not answered is recognised by the process that set it, once', async () => {
  const proxy = await startProxy(database.url)
  const world = await openPublisher({ ...database, url: proxy.url }, { x: {} })
  await world.create('guarded without an answer')
  const [batch] = await world.claim()
  const refs = batch?.refs ?? []
  proxy.breakAfter('commit')
  await expect(armBatch(world.ctx, refs)).rejects.toThrow(/connection/i)

  const other = { ...world.ctx, resources: createResources<Context>() }
  const ofAnother = await armBatch(other, refs)
  expect(ofAnother.send).toEqual([])
  expect(ofAnother.ask).toHaveLength(1)

  // A standby that has just taken over: nothing is sent before it was compared with its witnesses.
  await sql`update cell set open_on = now() - interval '1 hour'`.execute(world.ctx.db.system)
  const unchecked = await armBatch(world.ctx, refs)
  expect(unchecked).toMatchObject({ send: [], ask: [], early: [{ waitMs: 500 }] })
  await sql`update cell set open_on = null`.execute(world.ctx.db.system)

  const again = await armBatch(world.ctx, refs)
  expect(again.send).toHaveLength(1)
  expect(again.ask).toEqual([])
  const third = await armBatch(world.ctx, refs)
  expect(third.send).toEqual([])
  expect(third.ask).toHaveLength(1)
  await world.close()
  await proxy.stop()
})
