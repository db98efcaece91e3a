import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { startProxy, type TestProxy } from '../../../test/start-proxy.ts'
import { fence } from '../cell/cell.store.ts'
import { saveHeartbeat } from './heartbeat.store.ts'
import { healthRoutes } from './health.routes.ts'
import { processState } from './process-state.ts'
import { serveHealth } from './serve-health.ts'

let database: TestDatabase
let proxy: TestProxy
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  proxy = await startProxy(database.url)
  server = openServer({ database: { ...database, url: proxy.url }, env: { CARILLON_HEALTH_PORT: '0' }, root: [healthRoutes] })
  await sql`insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now())`.execute(server.ctx.db.system)
})
afterAll(async () => {
  await server.close()
  await proxy.stop()
  await database.stop()
})
afterEach(async () => {
  Object.assign(processState(server.ctx), { isDraining: false, loops: [] })
  await sql`delete from heartbeat`.execute(server.ctx.db.system)
  await sql`delete from post`.execute(server.ctx.db.system)
})

const read = async (path: string) => {
  const response = await server.app.inject({ method: 'GET', url: `/health/${path}` })
  return { status: response.statusCode, body: response.json<{ status: string; problems: string[] }>() }
}
const beat = () => saveHeartbeat(server.ctx.db.system, 'worker')
const insertChannel = async (state: string, dueSecondsAgo: number) => {
  const { system } = server.ctx.db
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values ('w1', 'p1', gen_random_uuid(), 'scheduled', 'text', '{}', '[]', now(), now())`.execute(system)
  await sql`
    insert into channel
      (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, dispatch_at, needs_stage, warnings)
    values
      ('w1', 'c1', 'p1', 0, 'k1', 'x-one', 'One', 'x', ${state}, now() - make_interval(secs => ${dueSecondsAgo}), false, '[]')`.execute(
    system,
  )
}

test('guarantee: ready needs a heartbeat that came back through the engine', async () => {
  expect(await read('ready')).toMatchObject({
    status: 503,
    body: { status: 'not_ready', problems: ['No worker has sent a heartbeat through the engine yet.'] },
  })
  await beat()
  expect(await read('ready')).toMatchObject({ status: 200, body: { status: 'ready', problems: [], database: 'up' } })
  await sql`update heartbeat set at = now() - interval '45 seconds'`.execute(server.ctx.db.system)
  const { status, body } = await read('ready')
  expect(status).toBe(503)
  expect(body.problems).toEqual([expect.stringMatching(/^No heartbeat came back through the engine for 4[5-9] s\.$/)])
})

test('guarantee: people are told that nothing is sent while no worker runs or the database is fenced, and not during a restart', async () => {
  const obstacle = async () => {
    const response = await server.app.inject({ method: 'GET', url: '/health/publishing' })
    return [response.statusCode, response.json<{ data: { obstacle: string | null } }>().data.obstacle]
  }
  const { system } = server.ctx.db
  expect(await obstacle()).toEqual([200, 'worker'])
  await beat()
  expect(await obstacle()).toEqual([200, null])
  await sql`update heartbeat set at = now() - interval '45 seconds'`.execute(system)
  expect(await obstacle()).toEqual([200, null])
  await sql`update heartbeat set at = now() - interval '70 seconds'`.execute(system)
  expect(await obstacle()).toEqual([200, 'worker'])
  await beat()
  await sql`update cell set fenced_at = now(), fence_reason = 'a test'`.execute(system)
  expect(await obstacle()).toEqual([200, 'fence'])
  await sql`update cell set fenced_at = null, fence_reason = null`.execute(system)
})

test('guarantee: ready is red while a post is a minute overdue and not sent, claimed or not', async () => {
  await beat()
  await insertChannel('scheduled', 90)
  const isLate = /^A post is 9\d s past its time and has not been sent\. Late are 1 channels of 1 workspaces\.$/
  const { status, body } = await read('ready')
  expect(status).toBe(503)
  expect(body.problems).toEqual([expect.stringMatching(isLate)])
  expect(await read('accepting')).toMatchObject({ status: 200 })
  await sql`update channel set state = 'dispatched', recover_at = now() + interval '1 minute'`.execute(server.ctx.db.system)
  expect(await read('ready')).toMatchObject({ status: 503, body: { problems: [expect.stringMatching(isLate)] } })
})

test('guarantee: what waits for a reason, for its files or for its answer leaves ready green', async () => {
  await beat()
  await insertChannel('scheduled', 90)
  const set = (change: ReturnType<typeof sql>) => sql`update channel set ${change}`.execute(server.ctx.db.system)
  await set(sql`due_at = dispatch_at, dispatch_at = now() + interval '1 hour', waiting_reason = 'rate_limit'`)
  expect(await read('ready')).toMatchObject({ status: 200 })
  await set(
    sql`dispatch_at = due_at, waiting_reason = null, state = 'dispatched', recover_at = now() + interval '1 minute', needs_stage = true`,
  )
  expect(await read('ready')).toMatchObject({ status: 200 })
  await set(sql`state = 'submitting', submitted_at = due_at`)
  expect(await read('ready')).toMatchObject({ status: 200 })
  // Nobody asks about it.
  await set(sql`recover_at = now() - interval '90 seconds'`)
  expect(await read('ready')).toMatchObject({ status: 503 })
})

test('guarantee: posts of a platform that only a later release knows are reported and leave ready green', async () => {
  await beat()
  await insertChannel('scheduled', 90)
  await sql`update channel set platform = 'not-yet-known'`.execute(server.ctx.db.system)
  expect(await read('ready')).toMatchObject({
    status: 200,
    body: {
      problems: [],
      notices: [
        '1 due channels are of the platform "not-yet-known", which this release does not know. They wait for a release that does.',
      ],
    },
  })
})

test('guarantee: ready is red while the database is fenced or was not compared with its witness', async () => {
  await beat()
  await sql`update cell set open_until = now() - interval '1 second'`.execute(server.ctx.db.system)
  const unchecked = await read('ready')
  expect([unchecked.status, unchecked.body.problems.join(' ')]).toEqual([503, expect.stringContaining('has compared')])
  await fence(server.ctx.db.system, 'the database has 1 beats, the witness has 2')
  expect(await read('ready')).toMatchObject({
    status: 503,
    body: {
      cell: 'fenced',
      problems: ['The database is fenced, so nothing is sent: the database has 1 beats, the witness has 2.'],
    },
  })
  expect(await read('accepting')).toMatchObject({ status: 200 })
  await sql`update cell set fenced_at = null, fence_reason = null, open_until = 'infinity'`.execute(server.ctx.db.system)
})

test('a post that is barely late leaves ready green', async () => {
  await beat()
  await insertChannel('scheduled', 5)
  expect(await read('ready')).toMatchObject({ status: 200 })
})

test('guarantee: ready names the loop that has not succeeded for too long', async () => {
  await beat()
  const nowMs = performance.now()
  const loop = { everyMs: 500, deadlineMs: 45_000, startedAtMs: nowMs - 500_000, failedPasses: 0, abandonedPasses: 0 }
  processState(server.ctx).loops = [
    { ...loop, name: 'dispatch', lastSuccessAtMs: nowMs - 70_000 },
    { ...loop, name: 'sweep', lastSuccessAtMs: nowMs - 1000 },
    { ...loop, name: 'zones', everyMs: 3_600_000, lastSuccessAtMs: nowMs - 400_000 },
    { ...loop, name: 'mails', lastSuccessAtMs: null },
  ]
  expect(await read('ready')).toMatchObject({
    status: 503,
    body: {
      problems: ['The loop "dispatch" has not succeeded for 70 s.', 'The loop "mails" has not succeeded for 500 s.'],
    },
  })
})

test('guarantee: ready stays green and names the chore that has not succeeded for too long', async () => {
  await beat()
  const { system } = server.ctx.db
  const insert = (name: string, outcome: string, age: string) =>
    sql`
    insert into chore (name, every_ms, deadline_ms, begun_at, duration_ms, outcome, succeeded_at, failed_passes, next_at)
    values (${name}, 15000, 45000, now() - interval '1 day', 5, ${outcome}, now() - ${age}::interval, 0, now())`.execute(system)
  await insert('expiring', 'failed', '310 seconds')
  await insert('tally', 'done', '290 seconds')
  expect(await read('ready')).toMatchObject({
    status: 200,
    body: { problems: [], notices: [expect.stringMatching(/^The chore "expiring" has not succeeded for 31\d s\.$/)] },
  })
  await sql`delete from chore`.execute(system)
})

test('guarantee: a process that is stopping is neither ready nor accepting, but live', async () => {
  await beat()
  processState(server.ctx).isDraining = true
  expect(await read('ready')).toMatchObject({ status: 503, body: { problems: ['This process is stopping.'] } })
  expect(await read('accepting')).toMatchObject({ status: 503, body: { problems: ['This process is stopping.'] } })
  expect(await read('live')).toMatchObject({ status: 200 })
})

test('guarantee: a database that does not answer is named within the time of a probe', async () => {
  await beat()
  proxy.silence()
  const beganMs = performance.now()
  const [ready, live] = await Promise.all([read('ready'), read('live')])
  expect(performance.now() - beganMs).toBeLessThan(9000)
  expect(ready).toMatchObject({ status: 503, body: { problems: ['The database does not answer.'], database: 'down' } })
  expect(live.status).toBe(200)
})

test('guarantee: accepting needs the database', async () => {
  const other = await startProxy(database.url)
  const unconnected = openServer({ database: { ...database, url: other.url }, root: [healthRoutes] })
  const status = async () => (await unconnected.app.inject({ method: 'GET', url: '/health/accepting' })).statusCode
  expect(await status()).toBe(200)
  await other.stop()
  expect(await status()).toBe(503)
  await unconnected.close()
})

test('a health port that cannot be opened is named together with its setting', async () => {
  const { ctx } = server
  const config = { ...ctx.config, healthHost: '192.0.2.1', healthPort: 9081 }
  await expect(serveHealth({ ...ctx, config })).rejects.toThrow(
    'the health port 192.0.2.1:9081 cannot be opened; set CARILLON_HEALTH_PORT',
  )
})
