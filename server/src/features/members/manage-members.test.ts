import type { ApiKey, Role } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { ensurePerson } from '../people/find-person.ts'
import { signInAs } from '../people/sign-in.fixture.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { memberRoutes } from './member.routes.ts'
import { insertMember } from './member.store.ts'

/** Guarantee: nobody gives a role above their own, and what a person could do ends with their membership or with their key. */

let database: TestDatabase
let server: TestServer
let workspaceId: string
let owner: { id: string; key: string }
let nowMs: number

beforeAll(async () => {
  database = await startDatabase()
  const replace = { nowMs: () => nowMs }
  server = openServer({
    database,
    replace,
    api: [apiKeyRoutes, workspaceRoutes, memberRoutes({ afterRoleChange: async () => {} })],
  })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  nowMs = Date.now()
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  workspaceId = made.workspaceId
  owner = { id: made.personId, key: made.apiKey }
})

async function join(role: Role): Promise<{ id: string; headers: Record<string, string> }> {
  const { ctx } = server
  const { id } = await ensurePerson(ctx.db.system, `${newUuid()}@example.com`, Date.now())
  await insertMember(ctx.db.system, { workspaceId, personId: id, role, joinedAt: new Date() })
  return { id, headers: { cookie: await signInAs(ctx, id), origin: new URL(ctx.config.publicUrl).origin } }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function send(headers: Record<string, string>, method: Method, path: string, body?: object) {
  const url = `/api/workspaces/${workspaceId}${path}`
  const reply = await server.app.inject({ method, url, headers, ...(body && { payload: body }) })
  const { data, error } = reply.json<{ data: ApiKey; error?: { code: string } }>()
  return { status: reply.statusCode, data, code: error?.code }
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` })

test('an admin makes nobody an owner, and does not change or remove one', async () => {
  const [admin, editor] = [await join('admin'), await join('editor')]
  const forbidden = { status: 403, code: 'role_forbidden' }
  expect(await send(admin.headers, 'PATCH', `/members/${editor.id}`, { role: 'owner' })).toMatchObject(forbidden)
  expect(await send(admin.headers, 'PATCH', `/members/${admin.id}`, { role: 'owner' })).toMatchObject(forbidden)
  expect(await send(admin.headers, 'PATCH', `/members/${owner.id}`, { role: 'viewer' })).toMatchObject(forbidden)
  expect(await send(admin.headers, 'DELETE', `/members/${owner.id}`)).toMatchObject(forbidden)
  expect((await send(admin.headers, 'PATCH', `/members/${editor.id}`, { role: 'admin' })).status).toBe(200)
})

test('the keys of a removed member stop working at once', async () => {
  const admin = await join('admin')
  const { data } = await send(admin.headers, 'POST', '/api-keys', { label: 'made' })
  const use = () => send(withKey(data.key ?? ''), 'GET', '')
  expect((await use()).status).toBe(200)
  expect((await send(withKey(owner.key), 'DELETE', `/members/${admin.id}`)).status).toBe(200)
  expect((await use()).status).toBe(401)
  // The key itself is revoked: it does not come back with its maker.
  await insertMember(server.ctx.db.system, { workspaceId, personId: admin.id, role: 'admin', joinedAt: new Date() })
  nowMs += 1000
  expect((await use()).status).toBe(401)
})

test('a key stops working when its time is over, also while it is in use', async () => {
  const expiresAt = new Date(nowMs + 60_000).toISOString()
  const { data } = await send(withKey(owner.key), 'POST', '/api-keys', { label: 'short', expiresAt })
  const use = async () => (await send(withKey(data.key ?? ''), 'GET', '')).status
  expect(await use()).toBe(200)
  nowMs += 59_900
  expect(await use()).toBe(200)
  nowMs += 100
  expect(await use()).toBe(401)
})

test('guarantee: only an owner changes the plan of a workspace', async () => {
  for (const role of ['editor', 'admin'] as const) {
    const { headers } = await join(role)
    expect(await send(headers, 'PATCH', '', { plan: 'business' })).toMatchObject({ status: 403, code: 'role_forbidden' })
  }
  const { status } = await send(withKey(owner.key), 'PATCH', '', { plan: 'business' })
  expect(status).toBe(200)
})
