import { connectors, exchangeCode, type Connector } from '@carillon/connectors'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { setUpWorkspace } from '../../workspaces/set-up-workspace.ts'
import { connectionRoutes } from '../connection.routes.ts'
import { updateConnection } from '../connection.store.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { integrationRoutes } from './integration.routes.ts'

vi.mock('@carillon/connectors', async (original) => ({
  ...(await original<typeof import('@carillon/connectors')>()),
  exchangeCode: vi.fn<typeof exchangeCode>(() => Promise.resolve({ accessToken: 'new' })),
}))

let database: TestDatabase
let server: TestServer
let workspaceId: string
let apiKey: string
let reconnected: string[]
let wakes: number

beforeAll(async () => {
  database = await startDatabase()
  const account = () => Promise.resolve({ id: '1', handle: 'tower', displayName: 'Tower', avatarUrl: null })
  const signIn = { open: () => Promise.resolve({ accessToken: 'new' }) }
  const bluesky: Connector = { ...connectors.bluesky, auth: { ...connectors.bluesky.auth, ...signIn }, account }
  const x: Connector = { ...connectors.x, account }
  const hooks: ConnectionHooks = {
    beforeRemoval: () => Promise.resolve(),
    afterReconnect: (_tx, { id }) => Promise.resolve(void reconnected.push(id)),
  }
  server = openServer({
    database,
    env: { CARILLON_APP_X: 'id:secret' },
    replace: {
      connectors: { ...connectors, bluesky, x },
      engine: { wakeWorkers: () => void wakes++, send: () => Promise.resolve() },
    },
    api: [connectionRoutes(hooks)],
    root: [integrationRoutes(hooks)],
  })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  ;({ workspaceId, apiKey } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` }))
  reconnected = []
  wakes = 0
})

const headers = () => ({ authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId })

async function connectByPassword(): Promise<string> {
  const fields = { identifier: 'tower.example', password: 'secret' }
  const response = await server.app.inject({
    method: 'POST',
    url: '/integrations/bluesky/password',
    headers: headers(),
    payload: { fields, instanceUrl: 'https://social.example' },
  })
  return response.json<{ data: { id: string } }>().data.id
}

async function connectByConsent(): Promise<string> {
  const started = await server.app.inject({ method: 'POST', url: '/integrations/x/start', headers: headers(), payload: {} })
  const { authorizeUrl } = started.json<{ data: { authorizeUrl: string } }>().data
  const state = new URL(authorizeUrl).searchParams.get('state') ?? ''
  const finished = await server.app.inject({ method: 'GET', url: '/integrations/x/callback', query: { state, code: 'c' } })
  return finished.json<{ data: { id: string } }>().data.id
}

/** Guarantee: what waited for an account to be connected again is woken in the transaction that stores the new token. */
test.each([
  { method: 'a password', connect: connectByPassword },
  { method: 'consent', connect: connectByConsent },
])('connecting an account again by $method wakes what waited for it', async ({ connect }) => {
  const id = await connect()
  expect(reconnected).toEqual([])
  await server.ctx.db.tenant(workspaceId, (tx) => updateConnection(tx, { workspaceId, id }, { status: 'needs_reconnect' }))
  wakes = 0
  expect(await connect()).toBe(id)
  expect(reconnected).toEqual([id])
  expect(wakes).toBe(1)
})

test('an account that was disconnected and is connected again is a new connection', async () => {
  const id = await connectByPassword()
  await server.app.inject({ method: 'DELETE', url: `/api/workspaces/${workspaceId}/connections/${id}`, headers: headers() })
  expect(await connectByPassword()).not.toBe(id)
  expect(reconnected).toEqual([])
})
