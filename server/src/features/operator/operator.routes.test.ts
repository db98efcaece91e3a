import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { processState } from '../../infra/health/process-state.ts'
import { sumStorage } from '../media/media.store.ts'
import { signInAs } from '../people/sign-in.fixture.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { nameOperator } from '../people/operator/name-operator.ts'
import { operatorRoutes } from './operator.routes.ts'
import type { readOperatorFigures } from './read-operator-figures.ts'

type Figures = Awaited<ReturnType<typeof readOperatorFigures>>
type Owner = Awaited<ReturnType<typeof setUpWorkspace>>

let database: TestDatabase
let server: TestServer
let first: Owner
let second: Owner

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, root: [operatorRoutes] })
  first = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'ada@example.com' })
  second = await setUpWorkspace(server.ctx, { workspace: 'Belfry', email: 'ben@example.com' })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

async function get<Data>(path: string, { by, at = server }: { by?: Owner; at?: TestServer } = {}) {
  const cookie = by && (await signInAs(at.ctx, by.personId))
  const answer = await at.app.inject({ method: 'GET', url: `/operator/${path}`, headers: cookie ? { cookie } : {} })
  return { status: answer.statusCode, ...answer.json<{ data: Data; error?: { code: string } }>() }
}

const readAccess = async (options: Parameters<typeof get>[1]) =>
  (await get<{ isOperator: boolean }>('access', options)).data.isOperator

test('guarantee: without a list, only the person of the first account is operator', async () => {
  expect(await readAccess({ by: first })).toBe(true)
  expect(await readAccess({ by: second })).toBe(false)
  const refused = await get('figures', { by: second })
  expect([refused.status, refused.error?.code]).toEqual([403, 'role_forbidden'])
  await sql`
    insert into member (workspace_id, person_id, role, joined_at)
    values (${first.workspaceId}, ${second.personId}, 'owner', now())`.execute(server.ctx.db.system)
  expect(await readAccess({ by: second })).toBe(false)
})

test('guarantee: no tenant becomes operator because older workspaces are deleted or moved away', async () => {
  const { workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Old', email: 'ada@example.com' })
  for (const id of [first.workspaceId, workspaceId])
    await server.ctx.db.tenant(id, (tx) => sql`delete from workspace where id = ${id}`.execute(tx))
  expect(await readAccess({ by: second })).toBe(false)
  expect(await readAccess({ by: first })).toBe(true)
  first = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'ada@example.com' })
})

test('the operator names another person, who has confirmed their address, and an erased person is operator no more', async () => {
  const { ctx } = server
  const third = await setUpWorkspace(ctx, { workspace: 'Spire', email: 'cy@example.com' })
  await expect(nameOperator(ctx, 'nobody@example.com')).rejects.toThrow('No person has the address')
  await sql`update person set email_verified = false where id = ${third.personId}`.execute(ctx.db.system)
  await expect(nameOperator(ctx, 'cy@example.com')).rejects.toThrow('has not confirmed')
  await sql`update person set email_verified = true where id = ${third.personId}`.execute(ctx.db.system)
  expect(await nameOperator(ctx, 'Cy@example.com')).toEqual({ personId: third.personId, email: 'cy@example.com' })
  expect(await Promise.all([first, second, third].map((by) => readAccess({ by })))).toEqual([false, false, true])
  await sql`delete from api_key where person_id = ${third.personId}`.execute(ctx.db.system)
  await sql`delete from member where person_id = ${third.personId}`.execute(ctx.db.system)
  await sql`delete from person where id = ${third.personId}`.execute(ctx.db.system)
  expect(await Promise.all([first, second].map((by) => readAccess({ by })))).toEqual([false, false])
  await nameOperator(ctx, 'ada@example.com')
  expect(await readAccess({ by: first })).toBe(true)
})

test('guarantee: a list of confirmed addresses replaces that rule', async () => {
  const other = openServer({
    database,
    env: { CARILLON_OPERATORS: 'nobody@example.com, Ben@example.com' },
    root: [operatorRoutes],
  })
  const setVerified = (value: boolean) =>
    sql`update person set email_verified = ${value} where id = ${second.personId}`.execute(other.ctx.db.system)
  await setVerified(false)
  expect(await readAccess({ by: second, at: other })).toBe(false)
  await setVerified(true)
  expect(await readAccess({ by: second, at: other })).toBe(true)
  expect(await readAccess({ by: first, at: other })).toBe(false)
  await other.close()
})

test('guarantee: a request without a session, or with an API key, is refused', async () => {
  for (const path of ['access', 'figures', 'storage']) expect((await get(path)).status).toBe(401)
  const headers = { authorization: `Bearer ${first.apiKey}` }
  expect((await server.app.inject({ method: 'GET', url: '/operator/figures', headers })).statusCode).toBe(401)
})

async function insertResult(
  owner: Owner,
  { outcome, lateMs, code }: { outcome: string; lateMs: number | null; code: string | null },
): Promise<void> {
  const { system } = server.ctx.db
  const [postId, { workspaceId }] = [newId(Date.now()), owner]
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values (${workspaceId}, ${postId}, ${newUuid()}, 'completed', 'text', '{}', '[]', now(), now())`.execute(system)
  await sql`
    insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage,
      warnings, late_ms, finished_at, error)
    values (${workspaceId}, ${newId(Date.now())}, ${postId}, 0, 'c', 'c', 'c', 'mastodon', ${outcome}, false, '[]', ${lateMs}, now(),
      ${code && JSON.stringify({ code, message: 'A secret of this workspace' })}::jsonb)`.execute(system)
}

test('guarantee: results of all workspaces are counted by platform and code, without naming a workspace', async () => {
  await insertResult(first, { outcome: 'published', lateMs: 200, code: null })
  await insertResult(second, { outcome: 'published', lateMs: 400, code: null })
  await insertResult(second, { outcome: 'failed', lateMs: 60_000, code: 'content_rejected' })
  await insertResult(second, { outcome: 'failed', lateMs: null, code: 'content_rejected' })
  const loop = { everyMs: 500, deadlineMs: 45_000, startedAtMs: performance.now() - 500_000, abandonedPasses: 0 }
  processState(server.ctx).loops = [
    { ...loop, name: 'dispatch', failedPasses: 3, lastSuccessAtMs: performance.now() - 70_000 },
    { ...loop, name: 'mails', failedPasses: 0, lastSuccessAtMs: null },
  ]
  await sql`
    insert into chore (name, every_ms, deadline_ms, begun_at, duration_ms, outcome, succeeded_at, failed_passes, next_at)
    values ('zones', 60000, 600000, now(), 1500, 'done', now() - interval '20 seconds', 3, now() + interval '40 seconds')`.execute(
    server.ctx.db.system,
  )
  const answer = await get<Figures>('figures', { by: first })
  const { day, platforms, queues, chores, process, isDatabaseUp } = answer.data
  expect([answer.status, isDatabaseUp]).toEqual([200, true])
  expect(platforms).toEqual([
    {
      platform: 'mastodon',
      accounts: 0,
      needReconnect: 0,
      expiring: 0,
      outcomes: [
        { outcome: 'published', code: null, number: 2 },
        { outcome: 'failed', code: 'content_rejected', number: 2 },
      ],
    },
  ])
  expect(day).toMatchObject({ results: 4, isCut: false, total: { sends: 3, median: 0.4 } })
  expect(day?.total?.p95).toBeGreaterThan(50)
  expect(day?.hours).toHaveLength(24)
  expect(day?.hours.at(-1)).toMatchObject({ sends: 3, median: 0.4 })
  expect(day?.hours.at(0)).toMatchObject({ sends: 0, median: null })
  expect(queues).toMatchObject({ overdue: 0, deliveriesWaiting: 0, isFenced: false })
  expect(chores).toMatchObject([
    { name: 'zones', everySeconds: 60, allowedSeconds: 720, durationSeconds: 1.5, failedPasses: 3, outcome: 'done' },
  ])
  expect(chores?.[0]?.nextSeconds).toBeCloseTo(40, -1)
  expect(process.loops).toMatchObject([
    { name: 'dispatch', allowedSeconds: 60, failedPasses: 3 },
    { name: 'mails', failedPasses: 0 },
  ])
  expect(process.loops[0]?.ageSeconds).toBeCloseTo(70, 0)
  expect(process.loops[1]?.ageSeconds).toBeCloseTo(500, 0)
  expect(process.pools.map(({ pool }) => pool)).toEqual(['tenant', 'system'])
  for (const hidden of [first.workspaceId, second.workspaceId, 'secret of this'])
    expect(JSON.stringify(answer.data)).not.toContain(hidden)
})

async function insertFile(owner: Owner, sizeBytes: number): Promise<void> {
  await sql`
    insert into media (workspace_id, id, name, type, mime_type, size_bytes, sha256, traits, storage_key, created_at, updated_at)
    values (${owner.workspaceId}, ${newId(Date.now())}, 'tower.png', 'image', 'image/png', ${sizeBytes}, '\\x00', '{}', ${newUuid()},
      now(), now())`.execute(server.ctx.db.system)
}

test('guarantee: an operator sees what all workspaces store together, and the ids of the largest, counted like their own limit', async () => {
  expect((await get('storage', { by: second })).status).toBe(403)
  for (const bytes of [1000, 500]) await insertFile(second, bytes)
  await insertFile(first, 200)
  // An upload that has begun counts as one full part at least.
  await sql`
    insert into media_upload (workspace_id, id, name, size_bytes, part_size_bytes, storage_key, store_upload_id, expires_at, created_at)
    values (${first.workspaceId}, ${newId(Date.now())}, 'film.mp4', 5, 5, 'k', 'u', now(), now())`.execute(server.ctx.db.system)
  const { status, data } = await get('storage', { by: first })
  const part = 64 * 1024 ** 2
  expect([status, data]).toEqual([
    200,
    {
      totalBytes: part + 1700,
      workspaces: 2,
      limitBytes: null,
      largest: [
        { workspaceId: first.workspaceId, bytes: part + 200, files: 1 },
        { workspaceId: second.workspaceId, bytes: 1500, files: 2 },
      ],
    },
  ])
  const { ctx } = server
  expect(await ctx.db.tenant(first.workspaceId, (tx) => sumStorage(tx, first.workspaceId))).toBe(part + 200)
})
