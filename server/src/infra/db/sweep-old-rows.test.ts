import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlsOf } from '../../../test/logins.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { openDatabase, type Database } from './db.ts'
import { sweepOldRows } from './sweep-old-rows.store.ts'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await startDatabase()
  const pool = { connections: 2, statementMs: 10_000 }
  db = openDatabase({ ...urlsOf(database.url), tenant: pool, system: pool, onError: () => {} })
  await sql`insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now())`.execute(db.system)
})
afterAll(async () => {
  await db.close()
  await database.stop()
})

const insertAnswer = (key: string, age: string) =>
  sql`
  insert into idempotency (workspace_id, caller, route, key, request_hash, status, body_sealed, created_at)
  values ('w1', 'p', 'r', ${key}, '', 200, '', now() - ${age}::interval)`.execute(db.system)
const insertWindow = (key: string, windowMs: number, age: string) =>
  sql`insert into rate_window values (${key}, ${windowMs}, now() - ${age}::interval, 1)`.execute(db.system)
const insertQuota = (key: string, age: string) =>
  sql`insert into quota_window values (${Buffer.from(key)}, 1, now() - ${age}::interval)`.execute(db.system)
const insertFlow = (platform: string, age: string) =>
  sql`
  insert into connect_flow (workspace_id, state_hash, person_id, by_session, platform, expires_at)
  values ('w1', ${Buffer.from(platform)}, 'p', false, ${platform}, now() - ${age}::interval)`.execute(db.system)
const insertRequests = (key: string, age: string) =>
  sql`insert into request_window values (${key}, now() - ${age}::interval, 1, 1)`.execute(db.system)
const insertHeartbeat = (worker: string, age: string) =>
  sql`insert into heartbeat values (${worker}, now() - ${age}::interval)`.execute(db.system)

const insertLogged = (event: string, age: string) =>
  sql`
  insert into event_log (workspace_id, id, event, at)
  values ('w1', (extract(epoch from now() - ${age}::interval) * 1000000)::bigint, ${event}, now())`.execute(db.system)

test('guarantee: only rows that have expired are deleted', async () => {
  await insertLogged('new', '29 days')
  await insertLogged('old', '31 days')
  await insertAnswer('new', '23 hours')
  await insertAnswer('old', '25 hours')
  await insertWindow('day, in use', 86_400_000, '20 hours')
  await insertWindow('day, over', 86_400_000, '3 days')
  await insertWindow('minute, in use', 60_000, '10 seconds')
  await insertWindow('minute, over', 60_000, '3 minutes')
  await insertQuota('in use', '-1 hour')
  await insertQuota('over', '1 hour')
  await insertFlow('waiting', '-1 minute')
  await insertFlow('expired', '1 second')
  await insertRequests('in use', '50 seconds')
  await insertRequests('over', '11 minutes')
  await insertHeartbeat('alive', '5 seconds')
  await insertHeartbeat('gone', '2 days')
  expect(await sweepOldRows(db.system)).toBe(false)
  const list = async (column: string, table: string) =>
    (
      await sql<{ name: string }>`select ${sql.ref(column)} as name from ${sql.table(table)} order by 1`.execute(db.system)
    ).rows.map(({ name }) => name)
  expect(await list('key', 'idempotency')).toEqual(['new'])
  expect(await list('event', 'event_log')).toEqual(['new'])
  expect(await list('key', 'rate_window')).toEqual(['day, in use', 'minute, in use'])
  expect(await list('key', 'quota_window')).toEqual([Buffer.from('in use')])
  expect(await list('platform', 'connect_flow')).toEqual(['waiting'])
  expect(await list('key', 'request_window')).toEqual(['in use'])
  expect(await list('worker', 'heartbeat')).toEqual(['alive'])
})

test('many old rows are deleted in batches, and the result says that there may be more', async () => {
  await sql`insert into heartbeat select 'w' || n, now() - interval '2 days' from generate_series(1, 2500) n`.execute(db.system)
  expect(await sweepOldRows(db.system)).toBe(true)
  expect(await sweepOldRows(db.system)).toBe(false)
})

/** Guarantee: rows that were read and deleted do not pile up at the start of a queue between two vacuums. */
test('busy tables are vacuumed after a hundredth of their rows, those that rows only pass through after a thousand', async () => {
  const { rows } = await sql<{ name: string; dead: number }>`
    select c.relname as name, (max(o.option_value) filter (where o.option_name = 'autovacuum_vacuum_threshold'))::float8
      + 1000000 * (max(o.option_value) filter (where o.option_name = 'autovacuum_vacuum_scale_factor'))::float8 as dead
    from pg_class c, pg_options_to_table(c.reloptions) o
    where c.relkind = 'r'
    group by c.relname`.execute(db.system)
  const deadWithAMillion = new Map(rows.map(({ name, dead }) => [name, dead]))
  for (const table of ['outbox_event', 'live_event', 'post_unsearched', 'audit_pending', 'post_tally'])
    expect([table, deadWithAMillion.get(table)]).toEqual([table, 1000])
  for (const table of ['webhook_delivery', 'idempotency', 'rate_window', 'quota_window', 'request_window', 'metric_pull'])
    expect([table, deadWithAMillion.get(table)]).toEqual([table, 11_000])
})
