import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { urlsOf } from '../../../test/logins.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { startProxy, type TestProxy } from '../../../test/start-proxy.ts'
import { notifyWorkers, dueChannel } from '../engine/notify-workers.store.ts'
import { runLoop } from '../engine/run-loop.ts'
import { openDatabase, type Database } from './db.ts'

const pool = { connections: 4, statementMs: 1000 }
/** The limit of a statement, the margin of the client, and time for a busy machine. */
const recoveryMs = 6_000

let database: TestDatabase
let proxy: TestProxy
let db: Database

beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())
beforeEach(async () => {
  proxy = await startProxy(database.url)
  db = openDatabase({ ...urlsOf(proxy.url), tenant: pool, system: pool, onError: () => {} })
})
afterEach(async () => {
  await proxy.stop()
  await db.close()
})

const ping = () => sql`select 1`.execute(db.system)
const openAll = () => Promise.all(Array.from({ length: pool.connections }, () => sql`select pg_sleep(0.05)`.execute(db.system)))

test('guarantee: when all open connections fall silent, a loop goes on within the deadline of one statement', async () => {
  await openAll()
  let passes = 0
  const work = async () => {
    await ping()
    passes++
    return false
  }
  const loop = runLoop({ name: 'dispatch', log: pino({ level: 'silent' }), everyMs: 20, deadlineMs: 10_000, work })
  await expect.poll(() => passes).toBeGreaterThan(2)
  proxy.silence()
  const before = passes
  await expect.poll(() => passes, { timeout: recoveryMs }).toBeGreaterThan(before + 3)
  // The connections are closed by their own deadline; the loop did not have to abandon a pass.
  expect(loop.status.abandonedPasses).toBe(0)
  await loop.stop()
})

test('guarantee: tenant transactions go on too, each connection at most once', async () => {
  const read = (hold = async () => {}) =>
    db.readOnly('w1', async (tx) => {
      await hold()
      return tx.selectFrom('workspace').select('id').execute()
    })
  // All are open at once: a connection that is still being opened would not fall silent.
  const isOpen = Promise.withResolvers<void>()
  let opened = 0
  const holdUntilAllAreOpen = () => {
    if (++opened === pool.connections) isOpen.resolve()
    return isOpen.promise
  }
  await Promise.all(Array.from({ length: pool.connections }, () => read(holdUntilAllAreOpen)))
  proxy.silence()
  // On a busy machine one may be opened again before it falls silent, so that less than each of them may cost a read.
  const failures: string[] = []
  const readOn = () =>
    read().catch((error: unknown) => {
      failures.push(String(error))
      return null
    })
  let found = await readOn()
  while (found === null && failures.length <= pool.connections) found = await readOn()
  expect(found).toEqual([])
  for (const failure of failures) expect(failure).toContain('PostgreSQL did not answer within 1000 ms')
})

test('guarantee: PostgreSQL ends a statement and a wait for a lock that take too long', async () => {
  await expect(sql`select pg_sleep(30)`.execute(db.system)).rejects.toMatchObject({ code: '57014' })
  const settings = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
    order by name`.execute(db.system)
  expect(settings.rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '60000' },
    { name: 'lock_timeout', setting: '500' },
    { name: 'statement_timeout', setting: '1000' },
  ])
})

test('guarantee: a subscription whose connection fell silent is renewed', { timeout: 40_000 }, async () => {
  let notifications = 0
  const stop = await db.listen(dueChannel, () => notifications++)
  await notifyWorkers(db.system)
  // A subscription that had to be opened again also counts as one.
  await expect.poll(() => notifications, { timeout: 10_000 }).toBeGreaterThan(0)
  proxy.silence()
  const before = notifications
  const notify = async () => {
    await notifyWorkers(db.system).catch(() => {})
    return notifications
  }
  await expect.poll(notify, { timeout: 30_000, interval: 500 }).toBeGreaterThan(before)
  proxy.silence()
  // Without a limit, it would wait until the test ends.
  await stop()
})

test('a wait for a free connection is not an error', async () => {
  const waits = Array.from({ length: pool.connections * 8 }, () => sql`select pg_sleep(0.4)`.execute(db.system))
  await expect(Promise.all(waits)).resolves.toHaveLength(pool.connections * 8)
})
