import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../test/start-database.ts'
import type { Tx } from '../infra/db/db.ts'
import { countPages } from '../infra/db/count-pages.fixture.ts'
import { newUuid } from '../infra/db/ids.ts'
import { outboxStart } from '../features/events/outbox-start.ts'
import { recordEvents, takeEvents, viewQuery } from '../features/events/outbox.store.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-install.ts'
import { relayEvents } from './run-worker.ts'

let database: TestDatabase
let server: TestServer
let workspaceId: string

beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
beforeEach(async () => {
  // A process of its own for each test: it has learned nothing about the outbox.
  server = openServer({ database })
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  workspaceId = made.workspaceId
  await relay(1)
  return () => server.close()
})
afterAll(() => database.stop())

const relay = async (times: number) => {
  for (let n = 0; n < times; n++) await relayEvents(server.ctx)
}

const changeOf = (subjectId: string) => ({
  workspaceId,
  event: 'post.changed' as const,
  subjectId,
  personId: null,
  atMs: server.ctx.nowMs(),
})

const record = (tx: Tx, subjectId: string) => recordEvents(tx, [changeOf(subjectId)])

/** Starts a transaction of another process and leaves it open until `end` is called. */
async function begin(work: (tx: Tx) => Promise<unknown>): Promise<{ end(how: 'commit' | 'rollback'): Promise<void> }> {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<'commit' | 'rollback'>()
  const transaction = server.ctx.db.system.transaction().execute(async (tx) => {
    await work(tx)
    begun.resolve()
    if ((await ended.promise) === 'rollback') throw new Error('rolled back by the test')
  })
  await Promise.race([begun.promise, transaction])
  return {
    async end(how) {
      ended.resolve(how)
      await transaction.catch(() => {})
    },
  }
}

/** The posts whose change was passed to open pages, in order. */
async function relayed(): Promise<string[]> {
  const { rows } = await sql<{ data: string }>`
    select data from live_event where workspace_id = ${workspaceId} and event = 'post.changed' order by id`.execute(
    server.ctx.db.system,
  )
  return rows.flatMap(({ data }) => (JSON.parse(data) as { ids: string[] }).ids)
}

/** Pages that a look at the events after this id reads. */
function pagesRead(after: number): Promise<number> {
  return countPages(server.ctx.db.system, (db) => viewQuery(after).execute(db))
}

/** Guarantee: a backup that takes an hour does not make the relay slower with every event that happens meanwhile. */
test('a relay with nothing to do reads a few pages while a snapshot is held and 30,000 events have passed', async () => {
  const backup = new pg.Client({ connectionString: database.url })
  await backup.connect()
  await backup.query('begin isolation level repeatable read read only')
  await backup.query('select count(*) from workspace')
  try {
    await sql`
      insert into outbox_event (workspace_id, event, at)
      select ${workspaceId}, 'post.changed', now()
      from generate_series(1, 30000)`.execute(server.ctx.db.system)
    await relay(34)
    expect(await pagesRead(outboxStart(server.ctx).after)).toBeLessThanOrEqual(10)
    // The dead rows are still there: reading from the beginning passes all of them.
    expect(await pagesRead(0)).toBeGreaterThan(100)
  } finally {
    await backup.end()
  }
})

/** Guarantee: after a burst, the relay does not pause between two full passes. */
test('a pass that took as many events as it may says that there are more', async () => {
  await sql`
    insert into outbox_event (workspace_id, event, at)
    select ${workspaceId}, 'post.changed', now()
    from generate_series(1, 1200)`.execute(server.ctx.db.system)
  expect(await relayEvents(server.ctx)).toBe(true)
  expect(await relayEvents(server.ctx)).toBe(false)
})

/** Guarantee: events arrive promptly in whichever order their transactions commit. */
test('an event whose transaction commits after later ones is relayed at the next look', async () => {
  const slow = await begin((tx) => record(tx, 'slow'))
  await server.ctx.db.system.transaction().execute((tx) => record(tx, 'fast'))
  await relay(10)
  expect(await relayed()).toEqual(['fast'])
  await slow.end('commit')
  await relay(1)
  expect(await relayed()).toEqual(['fast', 'slow'])
})

test('an event that another relay took and gave back is relayed at the next look', async () => {
  await server.ctx.db.system.transaction().execute((tx) => record(tx, 'given back'))
  const other = await begin((tx) => takeEvents(tx, { from: 0, limit: 10 }))
  await relay(10)
  expect(await relayed()).toEqual([])
  await other.end('rollback')
  await relay(1)
  expect(await relayed()).toEqual(['given back'])
})

test('an event is relayed at once after the database was replaced by a copy that gives ids out again', async () => {
  for (const subject of ['first', 'second']) await server.ctx.db.system.transaction().execute((tx) => record(tx, subject))
  await relay(5)
  expect(outboxStart(server.ctx).after).toBeGreaterThan(0)
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query('alter table outbox_event alter column id restart with 1')
  await owner.end()
  await server.ctx.db.system.transaction().execute((tx) => record(tx, 'after'))
  await relay(2)
  expect(await relayed()).toEqual(['first', 'second', 'after'])
})

/** Guarantee: whatever the relay believes about the start of the outbox, no event stays there. */
test('an event below the start that the relay has learned is relayed within a minute', async () => {
  await server.ctx.db.system.transaction().execute((tx) => record(tx, 'usual'))
  await relay(5)
  expect(outboxStart(server.ctx).after).toBeGreaterThan(0)
  await sql`
    insert into outbox_event (id, workspace_id, event, subject_id, at) overriding system value
    values (1, ${workspaceId}, 'post.changed', 'unexpected', now())`.execute(server.ctx.db.system)
  // A look every 250 ms.
  await relay(240)
  expect(await relayed()).toEqual(['usual', 'unexpected'])
})
