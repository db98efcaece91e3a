import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { startProxy } from '../../../test/start-proxy.ts'
import { newId, newUuid } from '../db/ids.ts'
import { healthRoutes } from '../health/health.routes.ts'
import { processState } from '../health/process-state.ts'
import { renderMetrics, startAtZero } from './render-metrics.ts'

let database: TestDatabase
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, root: [healthRoutes] })
})

afterAll(async () => {
  await server?.close()
  await database?.stop()
})

/** The samples of one metric, as `labels → value`. */
async function read(name: string, from: TestServer = server): Promise<Record<string, number>> {
  const { text } = await renderMetrics(from.ctx, processState(from.ctx))
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('guarantee: requests are counted by the template of their route, so ids never become labels', async () => {
  await server.app.inject({ method: 'GET', url: '/health/live' })
  await server.app.inject({ method: 'GET', url: `/no-such-page/${newUuid()}` })
  await server.app.inject({ method: 'GET', url: `/no-such-page/${newUuid()}` })
  expect(await read('carillon_http_request_seconds_count')).toEqual({
    '{method="GET",route="/health/live",status="2xx"}': 1,
    '{method="GET",route="unknown",status="4xx"}': 2,
  })
})

test('the pools report their size and what waits', async () => {
  expect(await read('carillon_db_pool_size')).toEqual({ '{pool="tenant"}': 20, '{pool="system"}': 20 })
  expect(await read('carillon_db_pool_waiting')).toEqual({ '{pool="tenant"}': 0, '{pool="system"}': 0 })
})

test('guarantee: counts that alert rules compare are there as 0 before anything happens, so that the first failure is a rise', async () => {
  const other = openServer({ database })
  expect(await read('carillon_channel_outcomes_total', other)).toEqual({})
  startAtZero(other.ctx)
  const unconfirmed = { '{platform="x",outcome="unconfirmed",code="outcome_unknown"}': 0 }
  expect(await read('carillon_channel_outcomes_total', other)).toMatchObject(unconfirmed)
  const calls = await read('carillon_platform_call_seconds_count', other)
  expect(calls).toMatchObject({ '{platform="mastodon",status="5xx"}': 0, '{platform="mastodon",status="none"}': 0 })
  expect(await read('carillon_send_lateness_seconds_count', other)).toMatchObject({ '{platform="x"}': 0 })
  expect(await read('carillon_token_renewals_total', other)).toMatchObject({ '{platform="x",outcome="refused"}': 0 })
  expect(await read('carillon_webhook_attempts_total', other)).toMatchObject({ '{outcome="unanswered"}': 0 })
  expect(await read('carillon_mails_total', other)).toMatchObject({ '{outcome="later"}': 0 })
  await other.close()
})

test('the room on the disk with the media folder is reported', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-metrics-'))
  const other = openServer({ database, env: { CARILLON_MEDIA_DIR: dir } })
  const { bavail, bsize } = await statfs(dir)
  const free = (await read('carillon_disk_free_bytes', other))['{folder="media"}'] ?? 0
  expect(free / (bavail * bsize)).toBeCloseTo(1, 1)
  expect((await read('carillon_disk_size_bytes', other))['{folder="media"}']).toBeGreaterThan(free)
  await other.close()
  await rm(dir, { recursive: true })
})

test('a loop reports when it last succeeded and how old that may be', async () => {
  const nowMs = performance.now()
  const loop = { name: 'dispatch', everyMs: 500, deadlineMs: 45_000, failedPasses: 3, abandonedPasses: 1 }
  processState(server.ctx).loops = [{ ...loop, startedAtMs: nowMs - 500_000, lastSuccessAtMs: nowMs - 70_000 }]
  expect((await read('carillon_loop_last_success_age_seconds'))['{loop="dispatch"}']).toBeCloseTo(70, 0)
  expect(await read('carillon_loop_allowed_age_seconds')).toEqual({ '{loop="dispatch"}': 60 })
  expect(await read('carillon_loop_failed_passes')).toEqual({ '{loop="dispatch"}': 3 })
})

test('every process reports when a chore of the installation last succeeded, how old that may be, and when it is next', async () => {
  const other = openServer({ database })
  const { system } = other.ctx.db
  await sql`
    insert into chore (name, every_ms, deadline_ms, begun_at, duration_ms, outcome, succeeded_at, failed_passes, next_at)
    values ('zones', 60000, 600000, now() - interval '1 day', 1500, 'failed', now() - interval '800 seconds', 3, now() + interval '50 seconds')`.execute(
    system,
  )
  const labels = '{chore="zones"}'
  expect((await read('carillon_chore_last_success_age_seconds', other))[labels]).toBeCloseTo(800, -1)
  expect(await read('carillon_chore_allowed_age_seconds', other)).toEqual({ [labels]: 720 })
  expect(await read('carillon_chore_failed_passes', other)).toEqual({ [labels]: 3 })
  expect(await read('carillon_chore_duration_seconds', other)).toEqual({ [labels]: 1.5 })
  expect((await read('carillon_chore_next_seconds', other))[labels]).toBeCloseTo(50, -1)
  await sql`delete from chore`.execute(system)
  await other.close()
})

test('guarantee: what waits is reported across workspaces, without naming one', async () => {
  const workspaceId = newId(Date.now())
  const other = openServer({ database })
  const { system } = other.ctx.db
  await sql`
    insert into workspace (id, name, slug, plan, timezone, created_at, updated_at)
    values (${workspaceId}, 'Bells', 'bells', 'pro', 'UTC', now(), now())`.execute(system)
  const insertConnection = (status: string, endsInDays: number) => {
    const id = newId(Date.now())
    return sql`
      insert into connection (workspace_id, id, platform, slug, handle, display_name, account_id, status, credentials_sealed,
        token_expires_at, token_renewable, token_renewed_at, connected_at, updated_at)
      values (${workspaceId}, ${id}, 'bluesky', ${id}, 'h', 'h', ${id}, ${status}, '', now() + make_interval(days => ${endsInDays}), false,
        now(), now(), now())`.execute(system)
  }
  await insertConnection('needs_reconnect', 30)
  await insertConnection('active', 3)
  await insertConnection('active', 30)
  const postId = newId(Date.now())
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values (${workspaceId}, ${postId}, ${newUuid()}, 'scheduled', 'text', '{}', '[]', now(), now())`.execute(system)
  const insertChannel = async (state: string, dueSecondsAgo: number, change = sql`position = 0`) => {
    const id = newId(Date.now())
    await sql`
    insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at,
      needs_stage, warnings)
    values (${workspaceId}, ${id}, ${postId}, 0, 'c', 'c', 'c', 'x', ${state}, now() - make_interval(secs => ${dueSecondsAgo}),
      now() - make_interval(secs => ${dueSecondsAgo}), false, '[]')`.execute(system)
    await sql`update channel set ${change} where id = ${id}`.execute(system)
  }
  const later = sql`recover_at = now() + interval '1 minute'`
  await insertChannel('scheduled', 90)
  await insertChannel('scheduled', 30)
  await insertChannel('scheduled', -600)
  await insertChannel('dispatched', 150, later)
  await insertChannel('dispatched', -60, later)
  await insertChannel('dispatched', 500, sql`${later}, needs_stage = true`)
  await insertChannel('submitting', 500, sql`${later}, submitted_at = due_at`)
  await insertChannel('scheduled', 500, sql`dispatch_at = now() + interval '1 hour', waiting_reason = 'rate_limit'`)
  await insertChannel('scheduled', 500, sql`platform = 'not-yet-known'`)
  expect((await read('carillon_oldest_overdue_seconds', other))['']).toBeCloseTo(150, -1)
  expect(await read('carillon_channels_overdue', other)).toEqual({ '': 3 })
  expect(await read('carillon_workspaces_overdue', other)).toEqual({ '': 1 })
  const reasons = { '{reason="rate_limit"}': 1, '{reason="reconnect"}': 0, '{reason="platform_unavailable"}': 0 }
  expect(await read('carillon_channels_waiting', other)).toEqual(reasons)
  for (const name of ['preparing', 'in_doubt', 'unknown_platform'])
    expect([name, await read(`carillon_channels_${name}`, other)]).toEqual([name, { '': 1 }])
  expect(await read('carillon_channels_in_progress', other)).toEqual({ '': 4 })
  const counts = { '{platform="bluesky"}': 1, '{platform="mastodon"}': 0 }
  expect(await read('carillon_connections_need_reconnect', other)).toMatchObject(counts)
  expect(await read('carillon_connections_expiring', other)).toMatchObject(counts)
  expect((await renderMetrics(other.ctx, processState(other.ctx))).text).not.toContain(workspaceId)
  await other.close()
})

test('guarantee: the metrics of the process are answered while the database and the engine are away', async () => {
  const proxy = await startProxy(database.url)
  const other = openServer({
    database: { ...database, url: proxy.url },
    env: { RESTATE_INGRESS_URL: 'http://127.0.0.1:1' },
    root: [healthRoutes],
  })
  await proxy.stop()
  const beganMs = performance.now()
  expect(await read('carillon_database_up', other)).toEqual({ '': 0 })
  expect(await read('carillon_engine_up', other)).toEqual({ '': 0 })
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  await other.close()
})
