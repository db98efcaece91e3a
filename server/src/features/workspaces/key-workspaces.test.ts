import type { ApiKey, Workspace } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { setUpWorkspace } from './set-up-install.ts'
import { workspaceRoutes } from './workspace.routes.ts'

/** Guarantee: a key that creates workspaces for customers creates as many as it was given, and manages none that it need not. */

let database: TestDatabase
let server: TestServer
let own: { workspaceId: string; apiKey: string }

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, env: { CARILLON_QUOTA_WORKSPACES: '2000' }, api: [workspaceRoutes, apiKeyRoutes] })
  own = await setUpWorkspace(server.ctx, { workspace: 'Program', email: 'program@example.com' })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

type Reply<T> = { status: number; data: T; code: string | undefined }

async function api<T>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { key = own.apiKey, body }: { key?: string; body?: object } = {},
) {
  const headers = { authorization: `Bearer ${key}` }
  const response = await server.app.inject({ method, url: `/api${path}`, headers, ...(body && { payload: body }) })
  const { data, error } = response.json<{ data: T; error?: { code: string } }>()
  return { status: response.statusCode, data, code: error?.code } satisfies Reply<T>
}

const keys = () => `/workspaces/${own.workspaceId}/api-keys`
const makeKey = (body: object) => api<ApiKey>('POST', keys(), { body: { label: 'k', ...body } })
const create = (key: string, body: object = { name: 'Customer' }) => api<Workspace>('POST', '/workspaces', { key, body })

test('creates workspaces and cannot change them, or make keys', async () => {
  const key = (await makeKey({ scopes: ['workspaces:create'] })).data.key ?? ''
  const made = await create(key)
  expect([made.status, made.data.role]).toEqual([201, 'owner'])
  expect((await api('PATCH', `/workspaces/${made.data.id}`, { key, body: { name: 'x' } })).code).toBe('scope_missing')
  expect((await api('POST', keys(), { key, body: { label: 'x' } })).code).toBe('scope_missing')
  const reader = (await makeKey({ scopes: ['workspaces:read'] })).data.key ?? ''
  expect((await create(reader)).code).toBe('scope_missing')
  // As before.
  const writer = (await makeKey({ scopes: ['workspaces:write'] })).data.key ?? ''
  expect((await create(writer)).status).toBe(201)
})

test('has a number that many requests at once do not exceed, and that a refused one does not use up', async () => {
  const { data } = await makeKey({ scopes: ['workspaces:create'], workspacesMax: 3 })
  expect(data.workspaces).toEqual({ max: 3, created: 0 })
  const key = data.key ?? ''
  expect((await create(key, { name: 'x', timezone: 'Nowhere/City' })).status).toBe(422)
  const replies = await Promise.all(Array.from({ length: 8 }, () => create(key)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 403, 403, 403, 403, 403])
  expect((await create(key)).code).toBe('quota_reached')
  const listed = (await api<ApiKey[]>('GET', keys())).data.find(({ id }) => id === data.id)
  expect(listed?.workspaces).toEqual({ max: 3, created: 3 })
})

test.each([
  { scopes: ['workspaces:write'], workspacesMax: 3 },
  { scopes: ['workspaces:*'], workspacesMax: 3 },
  { scopes: ['workspaces:create', 'workspaces:write'], workspacesMax: 3 },
  { scopes: ['content:write'], workspacesMax: 3 },
  { workspacesMax: 3 },
  { scopes: ['workspaces:create'], workspacesMax: 3, workspaceOnly: true },
])('guarantee: no number for a key that could go around it: %o', async (body) => {
  expect((await makeKey(body)).code).toBe('request_invalid')
})

test('guarantee: a thousand workspaces are created and listed in bounded time', async () => {
  const key = (await makeKey({ scopes: ['workspaces:create', 'workspaces:read'], workspacesMax: 1000 })).data.key ?? ''
  const times: number[] = []
  for (let at = 0; at < 200; at++) {
    const startMs = performance.now()
    const batch = Array.from({ length: 5 }, (_, n) =>
      create(key, { name: `Customer ${at * 5 + n}`, externalId: `c-${at * 5 + n}` }),
    )
    expect((await Promise.all(batch)).every(({ status }) => status === 201)).toBe(true)
    times.push(performance.now() - startMs)
  }
  expect((await create(key)).code).toBe('quota_reached')
  // Compared with each other and not with a clock, because the machine may be busy: a workspace costs the same however many there are.
  const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  expect(median(times.slice(-50))).toBeLessThan(5 * median(times.slice(0, 50)))
  const [first, ...more] = (await api<Workspace[]>('GET', '/workspaces?limit=100', { key })).data
  expect([first?.name, more.length]).toEqual(['Program', 99])
  const found = (await api<Workspace[]>('GET', '/workspaces?externalId=c-777', { key })).data
  expect(found.map(({ name }) => name)).toEqual(['Customer 777'])
}, 240_000)
