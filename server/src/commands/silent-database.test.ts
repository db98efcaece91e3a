import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../test/start-database.ts'
import { startProxy, type TestProxy } from '../../test/start-proxy.ts'
import { dispatchDue } from '../features/publishing/dispatch/dispatch.ts'
import type { Job } from '../infra/engine/engine.ts'
import { runLoop } from '../infra/engine/run-loop.ts'

const jobs: Job[] = []
let database: TestDatabase
let proxy: TestProxy
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  proxy = await startProxy(database.url)
  const send = async (job: Job) => void jobs.push(job)
  server = openServer({
    database: { ...database, url: proxy.url },
    env: { CARILLON_DATABASE_SYSTEM_SECONDS: '1' },
    replace: { engine: { send, wakeWorkers: () => {}, waitFor: async () => {} } },
  })
  await sql`insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now())`.execute(server.ctx.db.system)
})
afterAll(async () => {
  await proxy.stop()
  await server.close()
  await database.stop()
})

const insertDueChannel = async (id: string) => {
  const { system } = server.ctx.db
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values ('w1', ${id}, gen_random_uuid(), 'scheduled', 'text', '{}', '[]', now(), now())`.execute(system)
  await sql`
    insert into channel
      (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, dispatch_at, needs_stage, warnings)
    values ('w1', ${id}, ${id}, 0, 'k1', 'x-one', 'One', 'x', 'scheduled', now(), false, '[]')`.execute(system)
}

test('guarantee: dispatching goes on within the deadline after the network silenced every database connection', async () => {
  const work = () => dispatchDue(server.ctx)
  const loop = runLoop({ name: 'dispatch', log: server.ctx.log, everyMs: 50, deadlineMs: 10_000, work })
  await insertDueChannel('before')
  await expect.poll(() => jobs.length, { timeout: 5000 }).toBe(1)
  proxy.silence()
  // The new channel arrives on a connection of its own; the loop may be waiting on a silent one.
  await expect
    .poll(
      () =>
        insertDueChannel('after')
          .then(() => true)
          .catch(() => false),
      { timeout: 8000 },
    )
    .toBe(true)
  await expect.poll(() => jobs.length, { timeout: 8000 }).toBe(2)
  expect(JSON.stringify(jobs[1]?.payload)).toContain('"after"')
  await loop.stop()
})
