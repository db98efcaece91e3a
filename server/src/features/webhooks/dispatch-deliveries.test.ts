import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { dispatchDeliveries } from './dispatch-deliveries.ts'
import type { DeliveryRef } from './jobs.ts'

let database: TestDatabase
let server: TestServer
const jobs: Job[] = []

beforeAll(async () => {
  database = await startDatabase()
  const engine = { wakeWorkers: () => {}, send: async (job: Job) => void jobs.push(job), waitFor: async () => {} }
  server = openServer({ database, replace: { engine } })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  jobs.length = 0
  const { workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  await server.ctx.db.system.deleteFrom('webhook').execute()
  await sql`
    insert into webhook (workspace_id, id, url, events, secret_sealed, secret_hint, active, created_at, updated_at)
    select ${workspaceId}, n::text, 'https://hooks.example/', '{}', '', '', true, now(), now()
    from generate_series(1, 700) n`.execute(server.ctx.db.system)
})

/** Guarantee: with more webhooks than one pass looks at, all of them get their deliveries, one pass after the other and without a pause. */
test('passes continue until every webhook with a waiting delivery had its turn', async () => {
  const { system } = server.ctx.db
  await sql`
    insert into webhook_delivery (workspace_id, webhook_id, id, event, url, body, next_attempt_at, created_at, status, status_code, attempts,
      tries, response_body)
    select workspace_id, id, gen_random_uuid(), 'upload.failed', url, '{}', now(), now(), 'pending', 0, 0, 0, ''
    from webhook`.execute(system)

  const served = () => new Set(jobs.map(({ payload }) => (payload as DeliveryRef).webhookId)).size
  expect(await dispatchDeliveries(server.ctx)).toBe(true)
  expect(served()).toBe(500)
  // The next pass begins with the first webhook again, which may have got another delivery meanwhile.
  expect(await dispatchDeliveries(server.ctx)).toBe(true)
  expect(served()).toBe(700)
  expect(await dispatchDeliveries(server.ctx)).toBe(false)
  expect(jobs).toHaveLength(700)
})

/** Guarantee: webhooks that have as many deliveries in progress as they may do not hide those behind them. */
test('a pass that could claim nothing lets the next one continue after it', async () => {
  const { system } = server.ctx.db
  // Eleven for each webhook, of which ten are in progress; the last webhook has one that waits.
  await sql`
    insert into webhook_delivery (workspace_id, webhook_id, id, event, url, body, next_attempt_at, claimed_at, created_at, status, status_code,
      attempts, tries, response_body)
    select workspace_id, id, gen_random_uuid(), 'upload.failed', url, '{}', now(), case when n > 1 then now() end, now(), 'pending', 0, 0, 0, ''
    from webhook, generate_series(1, 11) n
    where n = 1 or id <> (select max(id) from webhook)`.execute(system)
  expect(await dispatchDeliveries(server.ctx)).toBe(false)
  expect(jobs).toEqual([])
  await dispatchDeliveries(server.ctx)
  expect(jobs).toHaveLength(1)
})

/** Guarantee: the endpoint of an account has one limit, however many workspaces send to it, and each delivery goes to its own workspace. */
test('the webhook of an account has one limit in all workspaces together', async () => {
  const { system } = server.ctx.db
  await sql`delete from webhook`.execute(system)
  const email = `${newUuid()}@example.com`
  const made = [
    await setUpWorkspace(server.ctx, { workspace: 'Tower', email }),
    await setUpWorkspace(server.ctx, { workspace: 'Belfry', email }),
  ]
  for (const { workspaceId, personId } of made)
    await sql`
      with account as (
        insert into account_webhook (id, person_id, url, events, secret_sealed, secret_hint, active, created_at, updated_at)
        values ('one', ${personId}, 'https://hooks.example/', '{}', '', '', true, now(), now())
        on conflict do nothing
      )
      insert into webhook (workspace_id, id, account_webhook_id, url, events, secret_sealed, secret_hint, active, created_at, updated_at)
      values (${workspaceId}, 'one', 'one', '', '{}', '', '', true, now(), now())`.execute(system)
  const add = (count: number) =>
    sql`
      insert into webhook_delivery (workspace_id, webhook_id, id, event, url, body, next_attempt_at, created_at, status, status_code, attempts,
        tries, response_body)
      select workspace_id, id, gen_random_uuid(), 'upload.failed', url, '{}', now(), now(), 'pending', 0, 0, 0, ''
      from webhook, generate_series(1, ${count}::int)`.execute(system)
  const sent = () => jobs.flatMap(({ payload }) => payload as DeliveryRef | DeliveryRef[])
  await add(3)
  await dispatchDeliveries(server.ctx)
  expect(sent()).toHaveLength(6)
  expect(
    jobs.map(({ payload }) => new Set([payload as DeliveryRef[]].flat().map(({ workspaceId }) => workspaceId)).size),
  ).toEqual([1, 1])
  await add(20)
  await dispatchDeliveries(server.ctx)
  expect(sent()).toHaveLength(10)
})
