import type { ApiKey } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { apiKeyRoutes } from './api-key.routes.ts'

let database: TestDatabase
let server: TestServer
let workspaceId: string
let ownerKey: string

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, api: [apiKeyRoutes, workspaceRoutes] })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  ;({ workspaceId, apiKey: ownerKey } = made)
})

type Reply = { status: number; data: ApiKey; code: string | undefined; paths: string[] }

async function make(key: string, more: object = {}): Promise<Reply> {
  const response = await server.app.inject({
    method: 'POST',
    url: `/api/workspaces/${workspaceId}/api-keys`,
    headers: { authorization: `Bearer ${key}` },
    payload: { label: 'made', ...more },
  })
  const { data, error } = response.json<{ data: ApiKey; error?: { code: string; details?: { path: string }[] } }>()
  return { status: response.statusCode, data, code: error?.code, paths: (error?.details ?? []).map(({ path }) => path) }
}

const soon = () => new Date(Date.now() + 60_000).toISOString()

test('guarantee: a key that a narrow key makes is as narrow', async () => {
  const narrow = { scopes: ['workspaces:write', 'content:*'], workspaceOnly: true, expiresAt: soon() }
  const { data: maker } = await make(ownerKey, narrow)
  const { data: made } = await make(maker.key ?? '')
  expect(made).toMatchObject(narrow)
  // The made key is a maker too.
  expect((await make(made.key ?? '')).data).toMatchObject(narrow)
})

test('guarantee: a narrow key cannot make a key that may do more', async () => {
  const { data: maker } = await make(ownerKey, { scopes: ['workspaces:write'], workspaceOnly: true, expiresAt: soon() })
  const key = maker.key ?? ''
  const later = new Date(Date.now() + 120_000).toISOString()
  expect(await make(key, { scopes: ['content:read'] })).toMatchObject({ status: 403, code: 'scope_missing', paths: ['scopes'] })
  expect(await make(key, { scopes: ['workspaces:*'] })).toMatchObject({ status: 201 })
  expect(await make(key, { workspaceOnly: false })).toMatchObject({ status: 403, paths: ['workspaceOnly'] })
  expect(await make(key, { expiresAt: later })).toMatchObject({ status: 403, paths: ['expiresAt'] })
})

test('a narrow key may make a narrower one, and the key of an owner is not narrowed', async () => {
  const { data: maker } = await make(ownerKey, { scopes: ['workspaces:write', 'media:write'] })
  expect(await make(maker.key ?? '', { scopes: ['media:read'], workspaceOnly: true })).toMatchObject({ status: 201 })
  expect((await make(ownerKey)).data).toMatchObject({ scopes: null, workspaceOnly: false, expiresAt: null })
})

const day = { from: '08:00', to: '18:00' }

async function addAccounts(): Promise<[string, string]> {
  const account = { platform: 'mastodon' as const, instanceUrl: 'https://social.example', credentials: { accessToken: 't' } }
  const [first, second] = await addConnections(server.ctx, workspaceId, [
    { ...account, handle: 'first', accountId: '1' },
    { ...account, handle: 'second', accountId: '2' },
  ])
  return [first?.slug ?? '', second?.slug ?? '']
}

test('a key has the limits that it was made with, in the list too, and works in its own workspace only', async () => {
  const [first] = await addAccounts()
  const limits = { connections: [first], postsPerDay: 5, hours: day, onDuplicate: 'refuse' as const }
  const { data: made } = await make(ownerKey, { limits })
  expect(made).toMatchObject({ limits, workspaceOnly: true })
  const listed = await server.app.inject({
    method: 'GET',
    url: `/api/workspaces/${workspaceId}/api-keys`,
    headers: { authorization: `Bearer ${ownerKey}` },
  })
  expect(listed.json<{ data: ApiKey[] }>().data.find(({ id }) => id === made.id)).toMatchObject({ limits })
  expect((await make(ownerKey)).data.limits).toBeNull()
  expect((await make(ownerKey, { limits: {} })).data).toMatchObject({ limits: null, workspaceOnly: false })
})

test('limits that mean nothing are refused', async () => {
  const [first] = await addAccounts()
  expect(await make(ownerKey, { limits: { connections: [first, 'x-nobody'] } })).toMatchObject({
    status: 422,
    code: 'connection_unknown',
    paths: ['limits.connections[1]'],
  })
  expect(await make(ownerKey, { limits: { hours: { from: '09:00', to: '09:00' } } })).toMatchObject({ status: 422 })
  expect(await make(ownerKey, { limits: { hours: { from: '9', to: '17:00' } } })).toMatchObject({ status: 422 })
  expect(await make(ownerKey, { limits: { postsPerDay: 0 } })).toMatchObject({ status: 422 })
  expect(await make(ownerKey, { limits: { connections: [] } })).toMatchObject({ status: 422 })
  expect(await make(ownerKey, { limits: { postsPerDay: 3 }, workspaceOnly: false })).toMatchObject({
    status: 422,
    paths: ['workspaceOnly'],
  })
})

test('guarantee: a key that a limited key makes has its limits, and wider ones are refused', async () => {
  const [first, second] = await addAccounts()
  const limits = { connections: [first], hours: day, onDuplicate: 'refuse' as const }
  const { data: maker } = await make(ownerKey, { limits })
  const key = maker.key ?? ''
  expect((await make(key)).data).toMatchObject({ limits, workspaceOnly: true })
  const wider = {
    'limits.connections': { connections: [first, second] },
    'limits.hours': { hours: { from: '08:00', to: '18:01' } },
    'limits.onDuplicate': { onDuplicate: 'warn' },
  }
  for (const [path, wanted] of Object.entries(wider))
    expect(await make(key, { limits: wanted })).toMatchObject({ status: 403, code: 'scope_missing', paths: [path] })
  const narrower = { hours: { from: '09:00', to: '10:00' }, postsPerDay: 2 }
  expect((await make(key, { limits: narrower })).data.limits).toEqual({ ...limits, ...narrower })
})

test('guarantee: a key with a number of posts a day cannot make keys that release more for it', async () => {
  const { data: maker } = await make(ownerKey, { limits: { postsPerDay: 2 } })
  const key = maker.key ?? ''
  expect(await make(key)).toMatchObject({ status: 403, code: 'scope_missing', paths: ['scopes'] })
  expect(await make(key, { limits: { postsPerDay: 1 } })).toMatchObject({ status: 403, paths: ['scopes'] })
  expect(await make(key, { scopes: ['content:draft'] })).toMatchObject({ status: 201 })
  expect(await make(key, { scopes: ['content:draft'], limits: { postsPerDay: 3 } })).toMatchObject({
    status: 403,
    paths: ['limits.postsPerDay'],
  })
})

test('guarantee: a key for drafts makes no key that may publish', async () => {
  const { data: maker } = await make(ownerKey, { scopes: ['workspaces:write', 'content:draft'] })
  const key = maker.key ?? ''
  for (const wider of ['content:publish', 'content:write', 'content:*'])
    expect(await make(key, { scopes: [wider] })).toMatchObject({ status: 403, code: 'scope_missing', paths: ['scopes'] })
  expect(await make(key, { scopes: ['content:draft', 'content:read'] })).toMatchObject({ status: 201 })
})

test('guarantee: the key of an agent can neither approve, nor make keys, members or rules, and its mark stays', async () => {
  const { data: agent } = await make(ownerKey, { agent: true })
  expect(agent).toMatchObject({
    agent: true,
    scopes: expect.arrayContaining(['content:write', 'media:write', 'workspaces:read']),
  })
  expect(agent.scopes).not.toEqual(expect.arrayContaining(['content:approve']))
  for (const scope of ['content:approve', 'workspaces:write', 'workspaces:*'])
    expect(await make(ownerKey, { agent: true, scopes: ['content:write', scope] })).toMatchObject({
      status: 422,
      code: 'request_invalid',
      paths: ['scopes'],
    })
  const key = agent.key ?? ''
  expect(await make(key, { agent: false })).toMatchObject({ status: 403, code: 'scope_missing' })
  const send = async (method: 'PATCH' | 'PUT' | 'DELETE', path: string, by: string, payload: object = {}) =>
    (await server.app.inject({ method, url: `/api${path}`, headers: { authorization: `Bearer ${by}` }, payload })).statusCode
  expect(await send('PATCH', `/workspaces/${workspaceId}`, key, { approval: 'none' })).toBe(403)
  // No other program can take the mark away either: nothing changes a key.
  for (const method of ['PATCH', 'PUT'] as const)
    expect(await send(method, `/workspaces/${workspaceId}/api-keys/${agent.id}`, ownerKey, { agent: false })).toBe(404)
  const listed = await server.app.inject({
    method: 'GET',
    url: `/api/workspaces/${workspaceId}/api-keys`,
    headers: { authorization: `Bearer ${ownerKey}` },
  })
  expect(listed.json<{ data: ApiKey[] }>().data.find(({ id }) => id === agent.id)).toMatchObject({ agent: true })
  expect((await make(ownerKey)).data.agent).toBe(false)
})

test('a workspace asks for the approval of agents until it has chosen another rule', async () => {
  const rule = async () => {
    const url = `/api/workspaces/${workspaceId}`
    const shown = await server.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${ownerKey}` } })
    return shown.json<{ data: { approval: string } }>().data.approval
  }
  expect(await rule()).toBe('agents')
  const { data: approver } = await make(ownerKey)
  const { key = '' } = approver
  const set = (approval: string) =>
    server.app.inject({
      method: 'PATCH',
      url: `/api/workspaces/${workspaceId}`,
      headers: { authorization: `Bearer ${key}` },
      payload: { approval },
    })
  expect((await set('none')).statusCode).toBe(403)
  expect(await rule()).toBe('agents')
})
