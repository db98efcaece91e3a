import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { watchServer } from '../../connections/calls/server-health.ts'
import type { Batch, Inquiry } from '../jobs.ts'
import { openPublisher, type TestPublisher } from '../publishing.fixture.ts'
import { armBatch } from '../send/arm-batch.ts'
import { claimDue } from './claim.store.ts'
import { recoverLostSends } from './dispatch.store.ts'
import { dispatchDue, sweep } from './dispatch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** As if this much time had passed since the run that held the channel stopped. */
async function loseRun({ ctx }: TestPublisher, postId: string): Promise<void> {
  await ctx.db.system
    .updateTable('channel')
    .where('post_id', '=', postId)
    .set({ recover_at: new Date(Date.now() - 1000) })
    .execute()
}

test('guarantee: a worker does not wait for rows that another worker is claiming', async () => {
  const world = await openPublisher(database, { x: {} })
  const [held] = [await world.create('held'), await world.create('free')]
  const isLocked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const other = world.ctx.db.system.transaction().execute(async (tx) => {
    await sql`select 1 from channel where post_id = ${held} for update`.execute(tx)
    isLocked.resolve()
    await release.promise
  })
  await isLocked.promise
  const claiming = claimDue(world.ctx.db.system, { horizonMs: 0, limit: 100 })
  const claimed = await Promise.race([claiming, sleep(3_000, 'it waited')])
  release.resolve()
  await Promise.all([other, claiming])
  expect(claimed).toHaveLength(1)
  await world.close()
})

test('guarantee: on servers that users choose, workspaces share no batch', async () => {
  const worlds = [await openPublisher(database, { mastodon: {}, x: {} }), await openPublisher(database, { mastodon: {}, x: {} })]
  for (const world of worlds) await world.create('for both')
  const [first] = worlds
  if (!first) throw new Error('there is no world')
  await dispatchDue(first.ctx)
  const ids = new Set(worlds.map(({ workspaceId }) => workspaceId))
  const batches = first.jobs
    .filter(({ handler }) => handler === 'submit')
    .map(({ payload }) => payload as Batch)
    .map(({ platform, refs }) => ({ platform, refs: refs.filter(({ workspaceId }) => ids.has(workspaceId)) }))
  const ofMastodon = batches.filter(({ platform }) => platform === 'mastodon')
  expect(ofMastodon.map(({ refs }) => refs.length)).toEqual([1, 1])
  // Elsewhere they do, which makes a burst cheap.
  expect(batches.filter(({ platform }) => platform === 'x').map(({ refs }) => refs.length)).toEqual([2])
  for (const world of worlds) await world.close()
})

test('guarantee: what waits for a server that is down is due when the server is back, and what waits for another is not', async () => {
  const world = await openPublisher(database, { threads: {}, x: {} })
  const answer = (platform: string, status: number) =>
    watchServer(world.ctx, { platform, instanceUrl: null }, async () => ({ status, headers: {}, text: async () => '' }))({
      method: 'GET',
      url: '',
      headers: {},
      body: null,
      timeoutMs: 1000,
    })
  for (let n = 0; n < 30; n++) for (const platform of ['threads', 'x']) await answer(platform, 503)
  await world.create('on both')
  const enqueued = () =>
    world.jobs
      .splice(0)
      .map(({ payload }) => payload as Batch)
      .filter(({ refs }) => refs.some(({ workspaceId }) => workspaceId === world.workspaceId))
      .map(({ platform }) => platform)
  await dispatchDue(world.ctx)
  expect(enqueued()).toEqual([])
  const otherTime = () =>
    world.ctx.db.system
      .selectFrom('channel')
      .where('workspace_id', '=', world.workspaceId)
      .where('platform', '=', 'x')
      .select(['dispatch_at', 'generation'])
      .executeTakeFirstOrThrow()
  const before = await otherTime()
  await answer('threads', 200)
  await dispatchDue(world.ctx)
  expect(enqueued()).toEqual(['threads'])
  expect(await otherTime()).toEqual(before)
  await world.close()
})

test('guarantee: some of what waits for a server that is down is sent, to find out whether it is back', async () => {
  const world = await openPublisher(database, { threads: {} })
  const ref = { platform: 'threads', instanceUrl: null }
  const isDown = watchServer(world.ctx, ref, async () => ({ status: 503, headers: {}, text: async () => '' }))
  for (let n = 0; n < 30; n++) await isDown({ method: 'GET', url: '', headers: {}, body: null, timeoutMs: 1000 })
  for (let n = 0; n < 5; n++) await world.create(`post ${n}`)
  await dispatchDue(world.ctx)
  expect(world.jobs).toEqual([])
  world.pass(10_000)
  await world.ctx.db.system
    .updateTable('channel')
    .where('workspace_id', '=', world.workspaceId)
    .set({ dispatch_at: sql<Date>`now()` })
    .execute()
  await dispatchDue(world.ctx)
  const refs = world.jobs.flatMap(({ payload }) => (payload as Batch).refs)
  expect((await armBatch(world.ctx, refs)).send).toHaveLength(3)
  await world.close()
})

/** Channels that have been due for an hour. */
async function insertBacklog({ ctx, workspaceId, connections }: TestPublisher, count: number): Promise<void> {
  const [connection] = connections
  await sql`
    with posts as (
      insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
      select ${workspaceId}, ${workspaceId} || n, gen_random_uuid(), 'scheduled', 'text', '{}', '[]', now(), now()
      from generate_series(1, ${count}::int) as n
      returning id
    )
    insert into channel
      (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, needs_stage, warnings)
    select ${workspaceId}, id, id, 0, ${connection?.id}, ${connection?.slug}, 'One', 'x', 'scheduled', at, at, false, '[]'
    from posts, lateral (select now() - interval '1 hour' as at) as t`.execute(ctx.db.system)
}

test('guarantee: of a backlog only so much is in the engine, the post of another workspace is enqueued at once, and the rest follows', async () => {
  const [crowd, other] = [await openPublisher(database, { x: {} }), await openPublisher(database, { x: {} })]
  await insertBacklog(crowd, 5000)
  const countOf = ({ workspaceId }: TestPublisher) =>
    crowd.jobs.flatMap(({ payload }) => (payload as Batch).refs).filter((ref) => ref.workspaceId === workspaceId).length
  const endRuns = crowd.holdRuns()
  for (let n = 0; n < 3; n++) expect(await dispatchDue(crowd.ctx)).toBe(true)
  expect(countOf(crowd)).toBeGreaterThanOrEqual(2000)
  expect(countOf(crowd)).toBeLessThan(2010)
  await other.create('on time')
  await dispatchDue(crowd.ctx)
  expect(countOf(other)).toBe(1)
  endRuns()
  while (await dispatchDue(crowd.ctx)) if (countOf(crowd) > 5000) throw new Error('a channel was enqueued twice')
  expect(countOf(crowd)).toBe(5000)
  for (const world of [crowd, other]) await world.close()
}, 60_000)

/** The channels of these worlds that were enqueued to be sent, as post ids of their rows. */
async function enqueuedPosts(worlds: readonly TestPublisher[], { jobs, ctx }: TestPublisher): Promise<string[]> {
  const refs = jobs.filter(({ handler }) => handler === 'submit').flatMap(({ payload }) => (payload as Batch).refs)
  const rows = await ctx.db.system
    .selectFrom('channel')
    .where(
      'id',
      'in',
      refs.map(({ channelId }) => channelId),
    )
    .where(
      'workspace_id',
      'in',
      worlds.map(({ workspaceId }) => workspaceId),
    )
    .select('post_id')
    .execute()
  return rows.map(({ post_id }) => post_id).toSorted()
}

describe('guarantee: a channel that cannot be dispatched delays nothing but itself', () => {
  const open = async () =>
    [await openPublisher(database, { mastodon: {} }), await openPublisher(database, { mastodon: {} })] as const
  const rowOf = ({ ctx }: TestPublisher, postId: string) =>
    ctx.db.system.selectFrom('channel').where('post_id', '=', postId).selectAll().executeTakeFirstOrThrow()

  test('one of a platform that only a later release knows waits for that release', async () => {
    const [own, other] = await open()
    const strange = await own.create('for a platform of the next release')
    await own.ctx.db.system.updateTable('channel').where('post_id', '=', strange).set({ platform: 'not-yet-known' }).execute()
    const before = await rowOf(own, strange)
    const posts = [await own.create('own'), await other.create('of another workspace')].toSorted()
    await dispatchDue(own.ctx)
    expect(await enqueuedPosts([own, other], own)).toEqual(posts)
    expect(await rowOf(own, strange)).toEqual(before)
    // For the release that knows it, it is a channel like any other.
    await own.ctx.db.system.updateTable('channel').where('post_id', '=', strange).set({ platform: 'mastodon' }).execute()
    await dispatchDue(own.ctx)
    expect(await enqueuedPosts([own, other], own)).toEqual([...posts, strange].toSorted())
    for (const world of [own, other]) await world.close()
  })

  test('one of a platform that only a later release knows is not asked about either', async () => {
    const [own, other] = await open()
    const ids = [await own.create('known'), await own.create('strange')] as const
    const [batch] = await own.claim()
    await armBatch(own.ctx, batch?.refs ?? [])
    for (const id of ids) await loseRun(own, id)
    await own.ctx.db.system.updateTable('channel').where('post_id', '=', ids[1]).set({ platform: 'not-yet-known' }).execute()
    await sweep(own.ctx)
    const asked = own.jobs.flatMap(({ payload }) => (payload as Inquiry).refs)
    expect(asked.map(({ channelId }) => channelId)).toEqual([(await rowOf(own, ids[0])).id])
    for (const world of [own, other]) await world.close()
  })

  test('one whose connection names no server is left to the sweep', async () => {
    const [own, other] = await open()
    const posts = [await own.create('own'), await own.create('own too')].toSorted()
    const strange = await other.create('nowhere to send it')
    await own.ctx.db.system
      .updateTable('connection')
      .where('workspace_id', '=', other.workspaceId)
      .set({ instance_url: null })
      .execute()
    await dispatchDue(own.ctx)
    expect(await enqueuedPosts([own, other], own)).toEqual(posts)
    expect(await rowOf(own, strange)).toMatchObject({ state: 'dispatched', generation: 1 })
    for (const world of [own, other]) await world.close()
  })
})

test('guarantee: while the engine is away, channels are claimed once and then left alone until it answers', async () => {
  const world = await openPublisher(database, { x: {} })
  const ingress = { isUp: false, url: '' }
  const stub = createServer((_request, response) => void response.writeHead(ingress.isUp ? 200 : 503).end())
  await new Promise<void>((done) => stub.listen(0, '127.0.0.1', done))
  Object.assign(world.ctx.config, { restateIngressUrl: `http://127.0.0.1:${(stub.address() as AddressInfo).port}` })
  const accept = world.ctx.engine.send
  let refused = 0
  world.ctx.engine.send = async (...job) => {
    if (ingress.isUp) return accept(...job)
    refused++
    throw new Error('the engine is away')
  }
  for (let n = 0; n < 120; n++) await world.create(`post ${n}`)
  const generations = async () => {
    const rows = await world.ctx.db.system
      .selectFrom('channel')
      .where('workspace_id', '=', world.workspaceId)
      .select(['generation', 'state'])
      .execute()
    return [...new Set(rows.map(({ generation, state }) => `${state} ${generation}`))]
  }
  for (let n = 0; n < 8; n++) await expect(dispatchDue(world.ctx)).rejects.toThrow('the engine')
  // Claimed and returned by the first pass.
  expect(await generations()).toEqual(['scheduled 2'])
  const inFirstPass = refused
  ingress.isUp = true
  // One job first: the engine may answer and still not take work.
  expect(await dispatchDue(world.ctx)).toBe(true)
  expect(world.jobs.flatMap(({ payload }) => (payload as Batch).refs)).toHaveLength(50)
  await dispatchDue(world.ctx)
  expect(await generations()).toEqual(['dispatched 3'])
  expect(refused).toBe(inFirstPass)
  await new Promise((done) => stub.close(done))
  await world.close()
})

describe('guarantee: what a crash leaves behind is found', () => {
  test('a send whose run is gone is asked about', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('orphan')
    const [batch] = await world.claim()
    await armBatch(world.ctx, batch?.refs ?? [])
    await sweep(world.ctx)
    expect(world.jobs).toEqual([])
    await loseRun(world, id)
    await sweep(world.ctx)
    expect(world.jobs.map(({ handler }) => handler)).toEqual(['recover'])
    const inquiry = world.jobs[0]?.payload as Inquiry | undefined
    expect(inquiry?.refs).toMatchObject(batch?.refs ?? [])
    expect(inquiry?.callEnded).toBe(false)
    await world.close()
  })

  test('a send whose job an engine has lost is asked about at once', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('lost job')
    const [batch] = await world.claim()
    await armBatch(world.ctx, batch?.refs ?? [])
    await loseRun(world, id)
    await sweep(world.ctx)
    // The job that was just enqueued is lost, and with it the next question for ten minutes.
    world.jobs.length = 0
    await sweep(world.ctx)
    expect(world.jobs).toEqual([])
    await recoverLostSends(world.ctx.db.system)
    await sweep(world.ctx)
    const asked = world.jobs.flatMap(({ payload }) => (payload as Inquiry).refs)
    expect(asked).toContainEqual(expect.objectContaining(batch?.refs[0] ?? {}))
    await world.close()
  })

  test('a claim that was never enqueued returns to the schedule', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('claimed')
    expect(await world.claim()).toHaveLength(1)
    await sweep(world.ctx)
    expect(await world.claim()).toEqual([])
    await loseRun(world, id)
    await sweep(world.ctx)
    expect(await world.claim()).toHaveLength(1)
    await world.close()
  })
})
