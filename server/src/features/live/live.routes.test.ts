import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { relayEvents } from '../../commands/run-worker.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { mediaRoutes } from '../media/media.routes.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { insertMember } from '../members/member.store.ts'
import { ensurePerson } from '../people/find-person.ts'
import { signInAs } from '../people/sign-in.fixture.ts'
import { postRoutes } from '../posts/post.routes.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { EventReader } from './event-reader.fixture.ts'
import { liveHub } from './live-hub.ts'
import { liveRoutes } from './live.routes.ts'
import { sweepLiveEvents } from './sweep-live-events.ts'

const routes = [liveRoutes, mediaRoutes, memberRoutes({ afterRoleChange: async () => {} }), postRoutes, workspaceRoutes]

type Tenant = { workspaceId: string; apiKey: string; personId: string; cookie: string; slug: string }

let database: TestDatabase
let server: TestServer
let baseUrl: string
let dir: string
let tenant: Tenant
const readers: EventReader[] = []

async function openTestServer(): Promise<{ opened: TestServer; url: string }> {
  const opened = openServer({ database, env: { CARILLON_MEDIA_DIR: dir }, api: routes })
  return { opened, url: await opened.app.listen({ host: '127.0.0.1', port: 0 }) }
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-live-'))
  database = await startDatabase()
  const { opened, url } = await openTestServer()
  server = opened
  baseUrl = url
}, 60_000)

beforeEach(async () => {
  tenant = await openTenant()
})

afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})

afterAll(async () => {
  await server.close()
  await database.stop()
  await rm(dir, { recursive: true, force: true })
})

async function openTenant(): Promise<Tenant> {
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const account = { platform: 'mastodon' as const, instanceUrl: 'https://social.example', credentials: { accessToken: 't' } }
  const [connection] = await addConnections(server.ctx, made.workspaceId, [{ ...account, handle: 'first', accountId: '1' }])
  return { ...made, cookie: await signInAs(server.ctx, made.personId), slug: connection?.slug ?? '' }
}

async function open({ workspaceId, cookie }: Tenant, lastId?: number, url = baseUrl): Promise<EventReader> {
  const reader = await EventReader.open(`${url}/api/workspaces/${workspaceId}/live`, {
    cookie,
    ...(lastId !== undefined && { lastId }),
  })
  readers.push(reader)
  return reader
}

/** Sends a request with the API key and delivers what it recorded. */
async function change<T = { uploadId: string; draftId: string }>(
  { apiKey, workspaceId }: Tenant,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
): Promise<T> {
  const answer = await server.app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId },
    ...(body && { payload: body }),
  })
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`)
  await relayEvents(server.ctx)
  return answer.json<{ data: T }>().data
}

const newDraft = async (by: Tenant, text = 'The bells') =>
  (await change(by, 'POST', '/content/text', { connections: [by.slug], text, saveDraft: true })).draftId

describe('a change through the API', () => {
  test('arrives, with the ids and the person, and without content', async () => {
    const reader = await open(tenant)
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const body = { connections: [tenant.slug], text: 'A secret plan', scheduledAt }
    const { uploadId } = await change(tenant, 'POST', '/content/text', body)
    await reader.waitFor(() => reader.events.length === 1)
    expect(reader.events).toEqual([
      {
        id: expect.any(Number),
        event: 'post.changed',
        data: { ids: [uploadId], by: tenant.personId, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    ])
    expect(reader.body).not.toContain('secret')
  })

  test('of a draft, the archive, the library and the members arrives too, by the uploadId', async () => {
    const reader = await open(tenant)
    const id = await newDraft(tenant)
    const { requestId } = await change<{ requestId: string }>(tenant, 'GET', `/content/${id}`)
    await change(tenant, 'PATCH', `/content/${requestId}`, { text: 'Other bells' })
    await change(tenant, 'PATCH', `/content/${requestId}/archive`)
    await change(tenant, 'DELETE', `/content/${requestId}`)
    const other = await newDraft(tenant)
    await change(tenant, 'POST', '/content/bulk-archive', { ids: [other] })
    await change(tenant, 'PATCH', `/workspaces/${tenant.workspaceId}`, { name: 'Belfry' })
    await reader.waitFor(() => reader.events.length === 7)
    const post = ['post.changed', [id]]
    expect(reader.seen).toEqual([
      post,
      post,
      post,
      post,
      ['post.changed', [other]],
      ['post.changed', []],
      ['workspace.changed', [tenant.workspaceId]],
    ])
  })

  test('guarantee: is seen by its own workspace only', async () => {
    const other = await openTenant()
    const [mine, theirs] = [await open(tenant), await open(other)]
    const id = await newDraft(tenant)
    const theirId = await newDraft(other)
    await mine.waitFor(() => mine.events.length === 1)
    await theirs.waitFor(() => theirs.events.length === 1)
    expect([mine.seen, theirs.seen]).toEqual([[['post.changed', [id]]], [['post.changed', [theirId]]]])
    const again = await open(other, theirs.lastId ?? 0)
    await newDraft(tenant)
    await newDraft(other)
    await again.waitFor(() => again.events.length === 1)
    expect(theirs.body + again.body).not.toContain(id)
    expect(again.events).toHaveLength(1)
  })
})

/** Guarantee: a stream that was interrupted continues without a gap, or says that it cannot. */
describe('a stream that is opened again', () => {
  test('continues after the last event, on any process', async () => {
    const first = await open(tenant)
    const ids = [await newDraft(tenant)]
    await first.waitFor(() => first.events.length === 1)
    first.close()
    ids.push(await newDraft(tenant), await newDraft(tenant))
    const { opened, url } = await openTestServer()
    for (const at of [baseUrl, url]) {
      const again = await open(tenant, first.lastId ?? 0, at)
      ids.push(await newDraft(tenant))
      await again.waitFor(() => again.events.length === ids.length - 1)
      expect(again.seen).toEqual(ids.slice(1).map((id) => ['post.changed', [id]]))
      again.close()
    }
    await opened.close()
  })

  test('continues although it was interrupted before its first event', async () => {
    const first = await open(tenant)
    first.close()
    const id = await newDraft(tenant)
    const again = await open(tenant, first.lastId ?? -1)
    await again.waitFor(() => again.events.length > 0)
    expect(again.seen).toEqual([['post.changed', [id]]])
  })

  test('gets each event once, however the changes and the connections overlap', async () => {
    const ids: string[] = []
    const seen: string[] = []
    let lastId: number | undefined
    const drafts = (async () => {
      for (let n = 0; n < 30; n++) ids.push(await newDraft(tenant))
    })()
    let isDone = false
    void drafts.then(() => (isDone = true))
    for (let round = 0; !isDone || seen.length < ids.length; round++) {
      if (round > 300) throw new Error(`only ${seen.length} of ${ids.length} arrived`)
      const reader = await open(tenant, lastId)
      await new Promise((done) => setTimeout(done, 20))
      reader.close()
      seen.push(...reader.events.flatMap(({ data }) => data.ids))
      lastId = reader.lastId ?? undefined
    }
    await drafts
    expect(seen).toEqual(ids)
  })

  test.each([
    ['a position that is no longer stored', 1],
    ['a position of another database', 999_999_999],
  ])('is told to start again for %s', async (_what, position) => {
    await newDraft(tenant)
    await sql`delete from live_event where id in (select id from live_event order by id limit 2)`.execute(server.ctx.db.system)
    await newDraft(tenant)
    const reader = await open(tenant, position)
    await reader.waitFor(() => reader.events.length > 0)
    expect(reader.events[0]).toMatchObject({ event: 'reset', data: {} })
    const id = await newDraft(tenant)
    await reader.waitFor(() => reader.events.at(-1)?.data.ids?.[0] === id)
    expect(reader.events.filter(({ event }) => event === 'reset')).toHaveLength(1)
  })

  test('is told to start again when the positions of the database have gone back', async () => {
    const reader = await open(tenant)
    await newDraft(tenant)
    await reader.waitFor(() => reader.events.length === 1)
    await sql`delete from live_event`.execute(server.ctx.db.system)
    await sql`insert into live_event (id, workspace_id, event, data) overriding system value
      values (1, ${tenant.workspaceId}, 'post.changed', '{"ids":[]}')`.execute(server.ctx.db.system)
    await sql`select pg_notify('carillon_live', '')`.execute(server.ctx.db.system)
    await reader.waitFor(() => reader.events.length === 2)
    expect(reader.events[1]).toMatchObject({ event: 'reset', id: 1 })
    // Later tests insert with positions above those that this process has seen.
    await sql`delete from live_event`.execute(server.ctx.db.system)
  })
})

test('events are kept for ten minutes', async () => {
  const { system } = server.ctx.db
  const insert = (minutes: number) =>
    sql`
      insert into live_event (workspace_id, event, data, at)
      values (${tenant.workspaceId}, 'post.changed', ${String(minutes)}, now() - make_interval(mins => ${minutes}))`.execute(
      system,
    )
  for (const minutes of [30, 11, 9, 0]) await insert(minutes)
  await sweepLiveEvents(server.ctx)
  const left = await sql<{ data: string }>`
    select data from live_event where workspace_id = ${tenant.workspaceId} order by id`.execute(system)
  expect(left.rows.map(({ data }) => data)).toEqual(['9', '0'])
})

describe('access', () => {
  const statusOf = async (headers: Record<string, string>, workspaceId = tenant.workspaceId) => {
    const answer = await server.app.inject({ method: 'GET', url: `/api/workspaces/${workspaceId}/live`, headers })
    return [answer.statusCode, answer.json<{ error: { code: string } }>().error.code]
  }

  test('needs the session of a member', async () => {
    const other = await openTenant()
    expect(await statusOf({})).toEqual([401, 'session_ended'])
    expect(await statusOf({ authorization: `Bearer ${tenant.apiKey}` })).toEqual([401, 'session_ended'])
    expect(await statusOf({ cookie: tenant.cookie.replace('token=', 'token=x') })).toEqual([401, 'session_ended'])
    expect(await statusOf({ cookie: other.cookie })).toEqual([404, 'workspace_not_found'])
    expect(await statusOf({ cookie: tenant.cookie }, 'unknown')).toEqual([404, 'workspace_not_found'])
  })

  test('guarantee: the stream of a removed member ends, and the others stay', async () => {
    const { ctx } = server
    const guest = await ensurePerson(ctx.db.system, `${newUuid()}@example.com`, Date.now())
    const membership = { workspaceId: tenant.workspaceId, personId: guest.id, role: 'viewer' as const, joinedAt: new Date() }
    await insertMember(ctx.db.system, membership)
    const cookie = await signInAs(ctx, guest.id)
    // A process checks all its streams every 15 seconds. In one that has just started, the stream must end before that.
    const { opened, url } = await openTestServer()
    const [mine, theirs] = [await open(tenant, undefined, url), await open({ ...tenant, cookie }, undefined, url)]
    await change(tenant, 'DELETE', `/workspaces/${tenant.workspaceId}/members/${guest.id}`)
    await theirs.waitFor(() => theirs.isEnded)
    expect(mine.isEnded).toBe(false)
    expect((await open({ ...tenant, cookie }, theirs.lastId ?? 0, url)).status).toBe(404)
    await opened.close()
  })

  test('guarantee: the stream of a session that was signed out ends within 20 seconds', { timeout: 30_000 }, async () => {
    const reader = await open(tenant)
    await sql`delete from session where person_id = ${tenant.personId}`.execute(server.ctx.db.system)
    await reader.waitFor(() => reader.isEnded, 20_000)
    expect(reader.body).toContain('\n\n: \nid: ')
  })

  test('a person has at most 20 streams in a process', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => open(tenant)))
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await statusOf({ cookie: tenant.cookie })).toEqual([429, 'rate_limited'])
    opened[0]?.close()
    await expect.poll(async () => (await open(tenant)).status).toBe(200)
  })
})

describe('the server', () => {
  test('drops a client that does not read, and keeps nothing for it', async () => {
    const reader = await open(tenant)
    const before = liveHub(server.ctx).size
    reader.response.pause()
    const data = JSON.stringify({ ids: ['x'.repeat(100_000)] })
    for (let n = 0; n < 300 && liveHub(server.ctx).size === before; n++) {
      await sql`insert into live_event (workspace_id, event, data) values (${tenant.workspaceId}, 'post.changed', ${data})`.execute(
        server.ctx.db.system,
      )
      await sql`select pg_notify('carillon_live', '')`.execute(server.ctx.db.system)
      await new Promise((done) => setTimeout(done, 10))
    }
    expect(liveHub(server.ctx).size).toBe(before - 1)
  })

  test('ends its streams when it stops', async () => {
    const { opened, url } = await openTestServer()
    const reader = await open(tenant, undefined, url)
    await opened.close()
    await expect.poll(() => reader.isEnded).toBe(true)
  })

  test('has one database connection for all streams', async () => {
    const { opened, url } = await openTestServer()
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n
        from pg_stat_activity
        where application_name = 'listen carillon_live'`.execute(server.ctx.db.system)
      return rows[0]?.n ?? 0
    }
    const before = await count()
    const tenants = await Promise.all(Array.from({ length: 5 }, openTenant))
    for (const each of tenants) for (let n = 0; n < 10; n++) await open(each, undefined, url)
    expect((await count()) - before).toBe(1)
    await opened.close()
  })
})
