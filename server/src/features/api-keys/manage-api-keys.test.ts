import type { ApiKey } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
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
