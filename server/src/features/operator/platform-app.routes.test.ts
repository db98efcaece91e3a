import { connectors, type App, type Connector } from '@carillon/connectors'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { createLog } from '../../infra/log/create-log.ts'
import { addConnections } from '../connections/add-connections.ts'
import { integrationRoutes } from '../connections/connect/integration.routes.ts'
import { renewToken } from '../connections/renew-token.ts'
import { signInAs } from '../people/sign-in.fixture.ts'
import { platformRoutes } from '../platforms/platform.routes.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { platformAppRoutes } from './platform-app.routes.ts'

type Owner = Awaited<ReturnType<typeof setUpWorkspace>>
type Shown = { clientId: string; source: string; isVetted: boolean; enteredAt: string | null } | null
type Listed = {
  platform: string
  needsApp: boolean
  setting: string | null
  app: Shown
  entered: Shown
  uses: { clientId: string | null; accounts: number; isKnown: boolean }[]
}

const publicUrl = 'https://carillon.example'
const secret = 'a-secret-that-nobody-may-read'
const entered = { clientId: 'id-one', clientSecret: secret }

let database: TestDatabase
let server: TestServer
/** Another process with the same settings. */
let other: TestServer
/** Another process whose environment names an app. */
let withSetting: TestServer
let operator: Owner
let tenant: Owner
const logged: string[] = []
/** The apps with which X was asked for a new token. */
let renewedWith: (App | null)[] = []

beforeAll(async () => {
  database = await startDatabase()
  const x: Connector = {
    ...connectors.x,
    auth: {
      ...connectors.x.auth,
      renew: (renewal) => {
        renewedWith.push(renewal.app)
        if (renewal.app === null) return connectors.x.auth.renew?.(renewal) ?? Promise.reject(new Error('cannot renew'))
        return Promise.resolve({ accessToken: 'new', refreshToken: 'new' })
      },
    },
  }
  const open = (env: Record<string, string> = {}) =>
    openServer({
      database,
      env: { CARILLON_PUBLIC_URL: publicUrl, ...env },
      replace: { connectors: { ...connectors, x }, log: createLog('trace', { write: (line) => void logged.push(line) }) },
      api: [platformRoutes],
      root: [platformAppRoutes, integrationRoutes({ beforeRemoval: async () => {}, afterReconnect: async () => {} })],
    })
  server = open()
  other = open()
  withSetting = open({ CARILLON_APP_X: 'id-of-environment:secret-of-environment' })
  operator = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'ada@example.com' })
  tenant = await setUpWorkspace(server.ctx, { workspace: 'Belfry', email: 'ben@example.com' })
}, 60_000)
afterAll(async () => {
  await Promise.all([server, other, withSetting].map((each) => each.close()))
  await database.stop()
})
beforeEach(async () => {
  renewedWith = []
  await sql`delete from connection`.execute(server.ctx.db.system)
  await sql`delete from platform_app`.execute(server.ctx.db.system)
})

type Call = { by?: Owner | null; at?: TestServer; body?: unknown; origin?: string }

async function call<Data>(
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  { by = operator, at = server, body, origin = publicUrl }: Call = {},
) {
  const cookie = by && (await signInAs(at.ctx, by.personId))
  const answer = await at.app.inject({
    method,
    url: `/operator/platforms${path}`,
    headers: { ...(cookie && { cookie }), ...(method !== 'GET' && { origin }) },
    ...(body !== undefined && { payload: body as object }),
  })
  return {
    status: answer.statusCode,
    text: answer.body,
    ...answer.json<{ data: Data; error?: { code: string; details?: unknown } }>(),
  }
}

const put = (body: unknown, options: Call = {}) => call<Listed>('PUT', '/x/app', { body, ...options })

async function listed(platform: string, at = server): Promise<Listed | undefined> {
  return (await call<Listed[]>('GET', '', { at })).data.find((each) => each.platform === platform)
}

/** The client id with which a person of any workspace would sign in at the platform now, or the error. */
async function askedAs(at: TestServer): Promise<string | null | undefined> {
  const headers = { authorization: `Bearer ${tenant.apiKey}`, 'x-workspace-id': tenant.workspaceId }
  const answer = await at.app.inject({ method: 'POST', url: '/integrations/x/start', headers, payload: {} })
  const { data, error } = answer.json<{ data?: { authorizeUrl: string }; error?: { code: string } }>()
  return data ? new URL(data.authorizeUrl).searchParams.get('client_id') : error?.code
}

describe('guarantee: only operators see and change developer apps', () => {
  test.each(['GET', 'PUT', 'DELETE'] as const)('%s is refused for everybody else', async (method) => {
    await put(entered)
    const path = method === 'GET' ? '' : '/x/app'
    const body = method === 'PUT' ? { clientId: 'id-of-a-tenant', clientSecret: 's' } : undefined
    const refused = await call(method, path, { by: tenant, body })
    expect([refused.status, refused.error?.code]).toEqual([403, 'role_forbidden'])
    expect((await call(method, path, { by: null, body })).status).toBe(401)
    expect(await askedAs(server)).toBe('id-one')
  })

  test('a page of another site cannot use the session of an operator', async () => {
    const refused = await put(entered, { origin: 'https://evil.example' })
    expect([refused.status, refused.error?.code]).toEqual([403, 'origin_refused'])
    expect((await call('DELETE', '/x/app', { origin: 'https://evil.example' })).status).toBe(403)
    expect(await askedAs(server)).toBe('platform_not_configured')
  })
})

test('guarantee: an app that was entered is used by all processes at once, and so is its end', async () => {
  expect(await askedAs(other)).toBe('platform_not_configured')
  expect((await put({ ...entered, clientSecret: ` ${secret}\n` })).status).toBe(200)
  expect(await askedAs(other)).toBe('id-one')
  const answer = await other.app.inject({
    method: 'GET',
    url: '/api/platforms',
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'x-workspace-id': tenant.workspaceId },
  })
  const { data } = answer.json<{ data: { platform: string; connect: { available: boolean } }[] }>()
  expect(data.filter(({ connect }) => connect.available).map(({ platform }) => platform)).toContain('x')
  await call('DELETE', '/x/app', { at: other })
  expect(await askedAs(server)).toBe('platform_not_configured')
})

test('guarantee: the environment comes first, is shown as such and cannot be overwritten', async () => {
  await put(entered)
  expect(await askedAs(withSetting)).toBe('id-of-environment')
  expect(await listed('x', withSetting)).toMatchObject({
    setting: 'CARILLON_APP_X',
    app: { clientId: 'id-of-environment', source: 'environment' },
    entered: { clientId: 'id-one', source: 'stored' },
  })
  const refused = await put({ clientId: 'id-two', clientSecret: 's' }, { at: withSetting })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('CARILLON_APP_X is set in the environment')])
  expect((await listed('x'))?.app).toMatchObject({ clientId: 'id-one', source: 'stored' })
})

test('guarantee: the secret is sealed, and is in no answer, log or audit entry', async () => {
  const answers = [
    await put(entered),
    await call('GET', ''),
    await put({ clientId: 'id-one' }),
    await put({ ...entered, isVetted: 7 }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422])
  const { rows } = await sql<{ row: string }>`
    select encode(client_secret_sealed, 'escape') || platform_app::text as row from platform_app`.execute(server.ctx.db.system)
  expect(rows).toHaveLength(1)
  const { rows: entries } = await sql<{ action: string; detail: string; row: string }>`
    select action, detail, account_entry::text as row from account_entry
    where person_id = ${operator.personId} and action like 'platform_app%' order by at desc limit 1`.execute(server.ctx.db.system)
  expect(entries).toMatchObject([{ action: 'platform_app.save', detail: 'x' }])
  expect(logged.join('\n')).toContain('an operator entered a developer app')
  for (const text of [...answers.map((answer) => answer.text), ...logged, ...[...rows, ...entries].map(({ row }) => row)])
    expect(text.includes(secret)).toBe(false)
  await call('DELETE', '/x/app')
  const { rows: left } = await sql`select from platform_app`.execute(server.ctx.db.system)
  expect(left).toEqual([])
})

test('what no console shows is refused', async () => {
  const refused = async (body: unknown) => (await put(body)).status
  expect(await refused({ clientId: '', clientSecret: 's' })).toBe(422)
  expect(await refused({ clientId: 'id-one' })).toBe(422)
  expect(await refused({ clientId: 'id one', clientSecret: 's' })).toBe(422)
  expect(await refused({ clientId: 'i'.repeat(201), clientSecret: 's' })).toBe(422)
  expect(await refused({ ...entered, scopes: [] })).toBe(422)
  expect((await call('PUT', '/bluesky/app', { body: entered })).status).toBe(422)
  expect((await call('PUT', '/myspace/app', { body: entered })).status).toBe(404)
  expect(await listed('bluesky')).toMatchObject({ needsApp: false, setting: null, app: null })
})

describe('accounts and the app that they were connected with', () => {
  async function connect(clientId: string | null) {
    const { ctx } = server
    const [made] = await addConnections(ctx, tenant.workspaceId, [
      {
        platform: 'x',
        handle: `tower-${clientId}`,
        accountId: `account of ${clientId}`,
        credentials: { accessToken: 'a', refreshToken: 'r' },
      },
    ])
    const key = { workspaceId: tenant.workspaceId, id: made?.id ?? '' }
    await ctx.db.system.updateTable('connection').where('id', '=', key.id).set({ client_id: clientId }).execute()
    return key
  }

  type Key = Awaited<ReturnType<typeof connect>>
  const renew = (key: Key) => renewToken(server.ctx, key, { seenAtMs: Date.now() + 1000, step: (_name, work) => work() })
  const statusOf = async ({ id }: Key) =>
    server.ctx.db.system.selectFrom('connection').where('id', '=', id).select(['status', 'status_reason']).executeTakeFirst()

  test('guarantee: an account is renewed with its own app after the operator entered another one', async () => {
    await put(entered)
    const [own, earlier] = [await connect('id-one'), await connect(null)]
    expect((await listed('x'))?.uses).toEqual(
      expect.arrayContaining([
        { clientId: 'id-one', accounts: 1, isKnown: true },
        { clientId: null, accounts: 1, isKnown: false },
      ]),
    )
    await put({ clientId: 'id-two', clientSecret: 'secret-two' })
    expect(await askedAs(server)).toBe('id-two')
    expect(await renew(own)).toEqual({ outcome: 'renewed' })
    expect(await renew(earlier)).toEqual({ outcome: 'renewed' })
    expect(renewedWith).toMatchObject([
      { clientId: 'id-one', clientSecret: secret },
      { clientId: 'id-two', clientSecret: 'secret-two' },
    ])
  })

  test('a new secret of the same app is used for the accounts that it has', async () => {
    await put(entered)
    const own = await connect('id-one')
    await put({ ...entered, clientSecret: 'new-secret' })
    await renew(own)
    expect(renewedWith).toMatchObject([{ clientId: 'id-one', clientSecret: 'new-secret' }])
  })

  test('guarantee: without its app an account has to be connected again, and says so', async () => {
    await put(entered)
    const own = await connect('id-one')
    await call('DELETE', '/x/app')
    expect(await renew(own)).toEqual({ outcome: 'refused' })
    expect(await statusOf(own)).toEqual({
      status: 'needs_reconnect',
      status_reason: expect.stringMatching(/no longer set up here\. Reconnect the account\.$/),
    })
    expect((await listed('x'))?.uses).toEqual([{ clientId: 'id-one', accounts: 1, isKnown: false }])
  })

  test('a replaced app is forgotten with its last account', async () => {
    await put(entered)
    await put({ clientId: 'id-two', clientSecret: 's' })
    await put({ clientId: 'id-three', clientSecret: 's' })
    const { rows } = await sql<{ client_id: string }>`select client_id from platform_app`.execute(server.ctx.db.system)
    expect(rows).toEqual([{ client_id: 'id-three' }])
  })
})
