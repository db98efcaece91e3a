import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { Db } from '../../../infra/db/db.ts'
import { claimDue, startClaims, type ClaimProgress } from './claim.store.ts'
import { countPages } from '../../../infra/db/count-pages.fixture.ts'

/** Guarantee: however long the backlog of one workspace is, it delays no other one, and a claim costs the same. */

let database: TestDatabase
let server: TestServer
let system: Db
let owner: pg.Client

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, env: { CARILLON_DATABASE_SYSTEM_CONNECTIONS: '6' } })
  system = server.ctx.db.system
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
}, 60_000)
afterAll(async () => {
  await owner.end()
  await server.close()
  await database.stop()
})
afterEach(async () => {
  await owner.query('truncate post, part cascade')
})

/** Channels of a workspace, the first due so many seconds ago and the others a millisecond later each. */
async function insertChannels(workspaceId: string, count: number, dueSecondsAgo: number): Promise<void> {
  await sql`
    insert into workspace values (${workspaceId}, 'One', ${workspaceId}, 'free', 'UTC', null, now(), now()) on conflict do nothing`.execute(
    system,
  )
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    select ${workspaceId}, ${workspaceId} || n, gen_random_uuid(), 'scheduled', 'text', '{}', '[]', now(), now()
    from generate_series(1, ${count}::int) as n`.execute(system)
  await sql`
    insert into channel
      (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, needs_stage, warnings)
    select ${workspaceId}, ${workspaceId} || n, ${workspaceId} || n, 0, 'k1', 'x-one', 'One', 'x', 'scheduled', at, at, false, '[]'
    from generate_series(1, ${count}::int) as n,
      lateral (select now() + make_interval(secs => n / 1000.0 - ${dueSecondsAgo}) as at) as t`.execute(system)
}

const horizonMs = 120_000
const workspacesOf = (claims: readonly { workspaceId: string }[]) => new Set(claims.map(({ workspaceId }) => workspaceId))

test('guarantee: four workers share a backlog of one workspace, and the one channel of another is in the first claims', async () => {
  await insertChannels('crowd', 20_000, 3600)
  await insertChannels('small', 1, 0)
  const limit = 2000
  const rounds = await Promise.all([1, 2, 3, 4].map(() => claimDue(system, { horizonMs, limit })))
  expect(rounds.map((claims) => claims.length)).toEqual([limit, limit, limit, limit])
  expect(workspacesOf(rounds.flat())).toEqual(new Set(['crowd', 'small']))
  expect(new Set(rounds.flat().map(({ channelId }) => channelId)).size).toBe(4 * limit)
}, 120_000)

test('guarantee: a claim from a long backlog reads no more pages than one from a short one', async () => {
  const limit = 100
  const pagesOf = async (count: number) => {
    await insertChannels(`of ${count}`, count, 3600)
    await owner.query('analyze part')
    // Another worker has all of them, so nothing is written: the pages are those of looking.
    await owner.query('begin')
    await owner.query('select 1 from channel for update')
    const pages = await countPages(system, (db) => claimDue(db, { horizonMs, limit }))
    await owner.query('rollback')
    await owner.query('truncate post, part cascade')
    return pages
  }
  const short = await pagesOf(2_000)
  expect((await pagesOf(16_000)) / short).toBeLessThan(1.5)
}, 120_000)

test('guarantee: with a backlog, every workspace has its turn after a few claims, however many others there are', async () => {
  // A claim of two looks at the ten oldest channels and visits four lines.
  await insertChannels('crowd', 60, 3600)
  for (let n = 0; n < 10; n++) await insertChannels(`later ${n}`, 1, -86_400)
  await insertChannels('small', 1, 0)
  const progress = startClaims()
  const claims = []
  for (let n = 0; n < 5; n++) claims.push(...(await claimDue(system, { horizonMs, limit: 2, progress })))
  expect(workspacesOf(claims)).toEqual(new Set(['crowd', 'small']))
  expect(claims).toHaveLength(10)
})

test('guarantee: a worker that got few channels because others took them claims again at once', async () => {
  await insertChannels('crowd', 20, 3600)
  const progress = startClaims()
  const claimed = await system.transaction().execute(async (tx) => {
    await sql`select 1 from channel order by wake_at limit 9 for update`.execute(tx)
    return claimDue(system, { horizonMs, limit: 2, progress })
  })
  expect([claimed.length, progress.hasMore]).toEqual([1, true])
  await sql`update channel set dispatch_at = now() + interval '1 day'`.execute(system)
  expect(await claimDue(system, { horizonMs, limit: 2, progress })).toEqual([])
  expect(progress.hasMore).toBe(false)
})

/** So many channels of a workspace at one instant. */
async function insertCrowd(workspaceId: string, count: number, at: Date): Promise<void> {
  await insertChannels(workspaceId, count, -60)
  await sql`update channel set dispatch_at = ${at}, due_at = ${at} where workspace_id = ${workspaceId}`.execute(system)
}

const inOneMinute = () => new Date(Date.now() + 60_000)

test('guarantee: of a crowd in one second only so many are claimed ahead of it, and nothing else waits for them', async () => {
  const at = inOneMinute()
  await insertCrowd('crowd', 500, at)
  await insertCrowd('same second', 1, at)
  await insertCrowd('another second', 1, new Date(at.getTime() + 30_000))
  const progress = startClaims()
  const claim = () => claimDue(system, { horizonMs, limit: 1000, aheadMax: 100, progress })
  const claims = await claim()
  const ofCrowd = claims.filter(({ workspaceId }) => workspaceId === 'crowd')
  expect([claims.length, ofCrowd.length, workspacesOf(claims).size]).toEqual([101, 99, 3])
  // A workspace that comes later has its turn ahead of that second all the same.
  await insertCrowd('later', 1, at)
  progress.nextWideAt = 0
  expect((await claim()).map(({ workspaceId }) => workspaceId).toSorted()).toEqual(['crowd', 'later'])
  // Once it is due, there is no bound, and the claims that look at the last seconds only find it.
  await sql`update channel set dispatch_at = now() where workspace_id = 'crowd' and state = 'scheduled'`.execute(system)
  expect(await claim()).toHaveLength(400)
})

test('guarantee: what has to be prepared is claimed ahead of a crowded second', async () => {
  const at = inOneMinute()
  await insertCrowd('crowd', 300, at)
  await insertCrowd('videos', 3, at)
  await sql`update channel set needs_stage = true where workspace_id = 'videos'`.execute(system)
  const claims = await claimDue(system, { horizonMs, limit: 1000, aheadMax: 2 })
  expect(claims.filter(({ workspaceId }) => workspaceId === 'videos')).toHaveLength(3)
})

test('guarantee: a claim of one turn takes one of each workspace, and says that there may be more', async () => {
  await insertChannels('crowd', 50, 3600)
  await insertChannels('small', 1, 0)
  const progress = startClaims()
  const claim = () => claimDue(system, { horizonMs, limit: 10, lookFor: 100, turnMax: 1, progress })
  expect((await claim()).map(({ workspaceId }) => workspaceId).toSorted()).toEqual(['crowd', 'small'])
  expect(progress.hasMore).toBe(true)
})

/** Marks everything that is due as sent, while a backup holds a snapshot, and claims once more: the dead entries are still in the index. */
async function sendAllDuringBackup(progress: ClaimProgress): Promise<() => Promise<void>> {
  const backup = new pg.Client({ connectionString: database.url })
  await backup.connect()
  await backup.query('begin isolation level repeatable read read only')
  await backup.query('select count(*) from workspace')
  await sql`update channel set state = 'published', published_at = now() where wake_at <= now()`.execute(system)
  expect(await claimDue(system, { horizonMs, limit: 100, progress })).toEqual([])
  return () => backup.end()
}

test('guarantee: a claim with nothing due reads a few pages while a snapshot is held and 30,000 channels were sent', async () => {
  await insertChannels('crowd', 30_000, 3600)
  const progress = startClaims()
  const endBackup = await sendAllDuringBackup(progress)
  try {
    const looks = []
    for (let n = 0; n < 10; n++) {
      looks.push(await countPages(system, (db) => claimDue(db, { horizonMs, limit: 100, progress: { ...progress } })))
    }
    expect(Math.max(...looks)).toBeLessThanOrEqual(10)
    const pages = await countPages(system, (db) => claimDue(db, { horizonMs, limit: 100 }))
    expect(pages).toBeGreaterThan(100)
  } finally {
    await endBackup()
  }
}, 120_000)

test('guarantee: what returns to the schedule with an old time is claimed, also while claims look at the last seconds only', async () => {
  const progress = startClaims()
  expect(await claimDue(system, { horizonMs, limit: 10, progress })).toEqual([])
  expect(progress.lookedTo).not.toBeNull()
  await insertChannels('old', 1, 3600)
  await insertChannels('now', 1, 0)
  const claims = await claimDue(system, { horizonMs, limit: 10, progress })
  expect(workspacesOf(claims)).toEqual(new Set(['now']))
  progress.nextWideAt = 0
  expect(workspacesOf(await claimDue(system, { horizonMs, limit: 10, progress }))).toEqual(new Set(['old']))
})

test('guarantee: what the horizon has reached since the last claim is claimed ahead of its time', async () => {
  const progress = startClaims()
  await insertChannels('soon', 1, -60)
  expect(await claimDue(system, { horizonMs: 30_000, limit: 10, progress })).toEqual([])
  expect(workspacesOf(await claimDue(system, { horizonMs, limit: 10, progress }))).toEqual(new Set(['soon']))
})

test('guarantee: what did not fit into a claim is in the next one', async () => {
  await insertChannels('crowd', 5, 3600)
  const progress = startClaims()
  const claims = []
  for (let n = 0; n < 3; n++) claims.push(...(await claimDue(system, { horizonMs, limit: 2, progress })))
  expect(claims).toHaveLength(5)
})
