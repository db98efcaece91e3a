import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { Db } from '../../../infra/db/db.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { armChannels, findChannelRefs } from '../send/arm.store.ts'
import { noValues, settleChannels, type Settlement } from '../settle/settle.store.ts'
import { claimDue } from './claim.store.ts'
import { releaseStuck } from './dispatch.store.ts'

/** Guarantee T3: many workers that claim at once, and pause beyond their lease, dispatch each channel once. */

const channelCount = 10_000
const workerCount = 8
const batchSize = 100

let database: TestDatabase
let workers: TestServer[]

beforeAll(async () => {
  database = await startDatabase()
  // Each worker has its own connections, as its own process would.
  workers = Array.from({ length: workerCount }, () =>
    openServer({ database, env: { CARILLON_DATABASE_SYSTEM_CONNECTIONS: '2', CARILLON_DATABASE_TENANT_CONNECTIONS: '1' } }),
  )
  await insertDueChannels(systemOf(workers[0]))
}, 120_000)
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()))
  await database.stop()
})

function systemOf(worker: TestServer | undefined): Db {
  if (!worker) throw new Error('there is no such worker')
  return worker.ctx.db.system
}

async function insertDueChannels(system: Db): Promise<void> {
  await sql`insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now())`.execute(system)
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    select 'w1', 'p' || n, gen_random_uuid(), 'scheduled', 'text', '{}', '[]', now(), now()
    from generate_series(1, ${channelCount}::int) as n`.execute(system)
  await sql`
    insert into channel
      (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, needs_stage, warnings)
    select 'w1', 'c' || n, 'p' || n, 0, 'k1', 'x-one', 'One', 'x', 'scheduled', now(), now(), false, '[]'
    from generate_series(1, ${channelCount}::int) as n`.execute(system)
}

const published = (ref: ChannelRef): Settlement => ({
  ...noValues,
  ref,
  postId: ref.channelId.replace('c', 'p'),
  state: 'published',
  platformPostId: ref.channelId,
  publishedAt: new Date(),
})

/** The lease of these claims ends now, and another worker's sweep returns them to the schedule. */
async function loseLease(system: Db, other: Db, refs: readonly ChannelRef[]): Promise<void> {
  const ids = refs.map(({ channelId }) => channelId)
  await sql`update channel set recover_at = now() - interval '1 second' where workspace_id = 'w1' and id = any(${ids})`.execute(
    system,
  )
  // A row that a third worker is releasing at this moment is skipped, so the sweep is repeated until no claim is current.
  for (let n = 0; n < 200 && (await findChannelRefs(other, refs)).length > 0; n++) await releaseStuck(other)
}

const arm = (system: Db, refs: readonly ChannelRef[]) => system.transaction().execute((tx) => armChannels(tx, refs))
const settle = (system: Db, refs: readonly ChannelRef[]) =>
  system.transaction().execute((tx) => settleChannels(tx, refs.map(published)))

type Tally = { sent: string[]; stale: number; staleArmed: number; staleSettled: number }

/** Claims, sometimes pauses until its claims are released, then sends what it may. */
async function work(at: number, tally: Tally): Promise<void> {
  const system = systemOf(workers[at])
  const other = systemOf(workers[(at + 1) % workerCount])
  for (let round = 0, idle = 0; idle < 5; round++) {
    const refs = await claimDue(system, { horizonMs: 0, limit: batchSize })
    idle = refs.length === 0 ? idle + 1 : 0
    if (refs.length === 0) {
      await sleep(20)
      continue
    }
    const pauses = (round + at) % 4 === 0
    if (pauses) {
      await loseLease(system, other, refs)
      await sleep(Math.random() * 50)
    }
    const armed = await arm(system, refs)
    tally.sent.push(...armed.map(({ id }) => id))
    if (pauses) {
      tally.stale += refs.length
      tally.staleArmed += armed.length
      tally.staleSettled += (await settle(system, refs)).length
    } else await settle(system, refs)
  }
}

test('guarantee: 8 workers with pauses beyond the lease send each of 10,000 channels once, and no stale write is accepted', async () => {
  const tally: Tally = { sent: [], stale: 0, staleArmed: 0, staleSettled: 0 }
  await Promise.all(workers.map((_worker, at) => work(at, tally)))
  expect(tally.sent).toHaveLength(channelCount)
  expect(new Set(tally.sent).size).toBe(channelCount)
  expect(tally.stale).toBeGreaterThan(batchSize)
  expect([tally.staleArmed, tally.staleSettled]).toEqual([0, 0])
  const { rows } = await sql<{ state: string; attempts: number; count: string }>`
    select state, attempts, count(*) as count from channel group by state, attempts`.execute(systemOf(workers[0]))
  expect(rows).toEqual([{ state: 'published', attempts: 1, count: String(channelCount) }])
}, 240_000)
