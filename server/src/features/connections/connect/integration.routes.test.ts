import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectors, exchangeCode, PlatformError, type Connector } from '@carillon/connectors'
import type { Connection } from '@carillon/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { sweepOldRows } from '../../../infra/db/sweep-old-rows.store.ts'
import { insertMember } from '../../members/member.store.ts'
import { openSession } from '../../people/session.fixture.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { connectionRoutes } from '../connection.routes.ts'
import { findConnection, updateConnection } from '../connection.store.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { integrationRoutes } from './integration.routes.ts'
import type { PresentedAttempt } from './load-attempt.ts'
import { redirectUrlOf } from './find-app.ts'

const exchanged = { credentials: { accessToken: 'new-token' }, scopes: ['tweet.read', 'users.read'] }
vi.mock('@carillon/connectors', async (original) => ({
  ...(await original<typeof import('@carillon/connectors')>()),
  exchangeCode: vi.fn<typeof exchangeCode>(() => Promise.resolve(exchanged)),
}))

const publicUrl = 'http://localhost:3000'
let database: TestDatabase
let server: TestServer
let instance: Server
let metadata: object | null
let workspaceId: string
let apiKey: string
let personId: string
let session: string
let reconnected: string[]
let wakes: number
let aheadMs: number
let registrations = 0
/** What the instance does not know any more. */
const refusedApps = new Set<string>()
const revokedBy: string[] = []

beforeAll(async () => {
  database = await startDatabase()
  instance = createServer((request, response) => {
    const send = (status: number, body: object | null) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/oauth-authorization-server') return send(metadata ? 200 : 404, metadata)
    if (request.url === '/api/v1/apps') return send(200, { client_id: `id${++registrations}`, client_secret: 'secret' })
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    return request.on('end', () => {
      const fields = new URLSearchParams(body)
      if (request.url === '/oauth/revoke') revokedBy.push(fields.get('client_id') ?? '')
      if (refusedApps.has(fields.get('client_id') ?? '')) return send(401, { error: 'invalid_client' })
      return send(200, { access_token: 'token' })
    })
  })
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve))
  const account = () =>
    Promise.resolve({ id: '1', handle: 'tower', displayName: 'The Tower', avatarUrl: null, appUserId: 'app-1' })
  const signIn = { open: () => Promise.resolve({ accessToken: 'new' }) }
  const bluesky: Connector = { ...connectors.bluesky, auth: { ...connectors.bluesky.auth, ...signIn }, account }
  const capabilities = { currentMs: 0, read: () => Promise.resolve({ rules: { text: { max: 1000 } } }) }
  const x: Connector = { ...connectors.x, account, capabilities }
  const mastodon: Connector = { ...connectors.mastodon, account, capabilities }
  const hooks: ConnectionHooks = {
    beforeRemoval: () => Promise.resolve(),
    afterReconnect: (_tx, { id }) => Promise.resolve(void reconnected.push(id)),
  }
  server = openServer({
    database,
    env: { CARILLON_APP_X: 'id:secret', CARILLON_PUBLIC_URL: publicUrl, CARILLON_EGRESS_ALLOW: '127.0.0.0/8' },
    replace: {
      connectors: { ...connectors, bluesky, x, mastodon },
      engine: { wakeWorkers: () => void wakes++, send: () => Promise.resolve(), waitFor: () => Promise.resolve() },
      nowMs: () => Date.now() + aheadMs,
    },
    api: [connectionRoutes(hooks)],
    root: [integrationRoutes(hooks)],
  })
}, 60_000)

afterAll(async () => {
  await server.close()
  instance.close()
  await database.stop()
})

beforeEach(async () => {
  aheadMs = 0
  metadata = null
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  ;({ workspaceId, apiKey, personId } = made)
  session = await openSession(server.ctx, personId)
  reconnected = []
  wakes = 0
})

const headers = () => ({ authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId })
const instanceUrl = () => `http://127.0.0.1:${(instance.address() as AddressInfo).port}`

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

type Start = { platform?: string; body?: object; by?: Record<string, string> }

async function start({ platform = 'x', body = {}, by = headers() }: Start = {}): Promise<string> {
  const url = `/integrations/${platform}/start`
  const started = await server.app.inject({ method: 'POST', url, headers: by, payload: body })
  return new URL(started.json<{ data: { authorizeUrl: string } }>().data.authorizeUrl).searchParams.get('state') ?? ''
}

type Returned = { status: number; location: string; attempt: string; browser: string; code: string | undefined }

/** The platform sends a browser back. `browser` is the cookie that it gets. */
async function comeBack(state: string, { platform = 'x', query = {}, cookie = '', accept = '' } = {}): Promise<Returned> {
  const response = await server.app.inject({
    method: 'GET',
    url: `/integrations/${platform}/callback`,
    query: { state, code: 'c', ...query },
    headers: { ...(cookie && { cookie }), ...(accept && { accept }) },
  })
  const location = response.headers.location ?? ''
  const [browser = ''] = ([response.headers['set-cookie']].flat()[0] ?? '').split(';')
  const attempt = new URL(location, publicUrl).searchParams.get('attempt') ?? ''
  const code = response.body.startsWith('{') ? response.json<{ error?: { code: string } }>().error?.code : undefined
  return { status: response.statusCode, location, attempt, browser, code }
}

type Answer<T> = { status: number; data: T; code: string | undefined; text: string; location: string | undefined }

async function call<T>(method: 'GET' | 'POST', url: string, sent: Record<string, string> = {}): Promise<Answer<T>> {
  const response = await server.app.inject({ method, url, headers: { ...(method === 'POST' && { origin: publicUrl }), ...sent } })
  const text = response.body
  const { data, error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { data: T; error?: { code: string } }
  return { status: response.statusCode, data, code: error?.code, text, location: response.headers.location }
}

const read = (id: string, sent: Record<string, string>) => call<PresentedAttempt>('GET', `/integrations/attempts/${id}`, sent)
const confirm = (id: string, sent: Record<string, string>) =>
  call<Connection>('POST', `/integrations/attempts/${id}/confirm`, sent)

async function connectByConsent(): Promise<string> {
  const { attempt, browser } = await comeBack(await start())
  return (await confirm(attempt, { cookie: `${session}; ${browser}` })).data.id
}

async function countConnections(): Promise<number> {
  const url = `/api/workspaces/${workspaceId}/connections`
  return (await call<unknown[]>('GET', url, headers())).data.length
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

test.each([
  { method: 'a password', connect: connectByPassword },
  { method: 'consent', connect: connectByConsent },
])('guarantee: by $method, an account is stored with the id by which its platform will name its owner', async ({ connect }) => {
  const id = await connect()
  const readRow = () => server.ctx.db.tenant(workspaceId, (tx) => findConnection(tx, workspaceId, id))
  expect((await readRow())?.app_user_id).toBe('app-1')
  // One that the release before has stored gets it when it is connected again.
  await server.ctx.db.tenant(workspaceId, (tx) => updateConnection(tx, { workspaceId, id }, { app_user_id: null }))
  await connect()
  expect((await readRow())?.app_user_id).toBe('app-1')
})

test('an account that was disconnected and is connected again is a new connection', async () => {
  const id = await connectByPassword()
  await server.app.inject({ method: 'DELETE', url: `/api/workspaces/${workspaceId}/connections/${id}`, headers: headers() })
  expect(await connectByPassword()).not.toBe(id)
  expect(reconnected).toEqual([])
})

/** Guarantee: an account is connected only if an admin of the workspace agrees, in the browser in which its owner agreed on the platform. */
describe('the confirmation', () => {
  test('names workspace, platform and account before anything is connected', async () => {
    const { status, attempt, browser, location } = await comeBack(await start())
    expect([status, location]).toEqual([303, `/integrations/confirm?attempt=${attempt}`])
    expect(await countConnections()).toBe(0)
    const cookie = `${session}; ${browser}`
    const { data } = await read(attempt, { cookie })
    expect(data).toMatchObject({
      state: 'confirm',
      platform: 'x',
      workspace: { id: workspaceId, name: 'Tower' },
      account: { handle: 'tower', displayName: 'The Tower' },
      code: null,
      redirectUri: `${publicUrl}/integrations/x/callback`,
      scopesGranted: ['tweet.read', 'users.read'],
      missing: ['tweet.write', 'media.write', 'offline.access'],
    })
    expect(JSON.stringify(data)).not.toContain('new-token')
    const page = await call('GET', location, { cookie, accept: 'text/html' })
    for (const text of ['“Tower”', 'X', '@tower (The Tower)', '<form method="post"']) expect(page.text).toContain(text)

    const made = await confirm(attempt, { cookie })
    expect(made).toMatchObject({ status: 200, data: { platform: 'x', handle: 'tower' } })
    expect((await confirm(attempt, { cookie })).data.id).toBe(made.data.id)
    expect((await read(attempt, { cookie })).data).toMatchObject({ state: 'connected', connectionId: made.data.id })
    expect(await countConnections()).toBe(1)
  })

  test('is refused to a person who is not signed in, to a key, and to another browser', async () => {
    const { attempt, browser } = await comeBack(await start())
    expect(await confirm(attempt, { cookie: browser })).toMatchObject({ status: 401, code: 'session_ended' })
    expect(await confirm(attempt, { ...headers(), cookie: `${session}; ${browser}` })).toMatchObject({ status: 401 })
    expect(await confirm(attempt, { cookie: session })).toMatchObject({ status: 404, code: 'attempt_not_found' })
    const other = await comeBack(await start())
    expect(await confirm(attempt, { cookie: `${session}; ${other.browser}` })).toMatchObject({ status: 404 })
    expect(await read(attempt, { cookie: session })).toMatchObject({ status: 404 })
    expect(await countConnections()).toBe(0)
  })

  test('is refused to people of other workspaces and to members who are no admins', async () => {
    const { attempt, browser } = await comeBack(await start())
    const stranger = await setUpWorkspace(server.ctx, { workspace: 'Other', email: `${newUuid()}@example.com` })
    const cookie = `${await openSession(server.ctx, stranger.personId)}; ${browser}`
    expect(await confirm(attempt, { cookie })).toMatchObject({ status: 404, code: 'attempt_not_found' })
    const member = { workspaceId, personId: stranger.personId, role: 'editor' as const, joinedAt: new Date() }
    await insertMember(server.ctx.db.system, member)
    expect(await confirm(attempt, { cookie })).toMatchObject({ status: 403, code: 'role_forbidden' })
    expect(await countConnections()).toBe(0)
  })

  test('is refused if the person who started is no longer an admin, also to another admin', async () => {
    const { attempt, browser } = await comeBack(await start())
    const other = await setUpWorkspace(server.ctx, { workspace: 'Other', email: `${newUuid()}@example.com` })
    const { system } = server.ctx.db
    await insertMember(system, { workspaceId, personId: other.personId, role: 'admin', joinedAt: new Date() })
    const starter = () => system.updateTable('member').where('workspace_id', '=', workspaceId).where('person_id', '=', personId)
    await starter().set({ role: 'editor' }).execute()
    const cookie = `${await openSession(server.ctx, other.personId)}; ${browser}`
    expect(await confirm(attempt, { cookie })).toMatchObject({ status: 403, code: 'role_forbidden' })
    expect(await countConnections()).toBe(0)
    await starter().set({ role: 'owner' }).execute()
    expect(await confirm(attempt, { cookie })).toMatchObject({ status: 200 })
  })

  test('is refused if it comes from another site', async () => {
    const { attempt, browser } = await comeBack(await start())
    const cookie = `${session}; ${browser}`
    for (const origin of ['https://evil.example', 'null', ''])
      expect(await confirm(attempt, { cookie, origin })).toMatchObject({ status: 403, code: 'origin_refused' })
    expect(await call('POST', `/integrations/confirm?attempt=${attempt}`, { cookie, origin: 'null' })).toMatchObject({
      status: 403,
    })
    expect(await countConnections()).toBe(0)
  })

  test('of a flow that a session started can only be given by that person', async () => {
    const state = await start({ by: { cookie: session, origin: publicUrl, 'x-workspace-id': workspaceId } })
    expect(await comeBack(state)).toMatchObject({ status: 409, code: 'connect_expired' })
    const again = await start({ by: { cookie: session, origin: publicUrl, 'x-workspace-id': workspaceId } })
    const { attempt, browser } = await comeBack(again, { cookie: session })
    const other = await setUpWorkspace(server.ctx, { workspace: 'Other', email: `${newUuid()}@example.com` })
    await insertMember(server.ctx.db.system, { workspaceId, personId: other.personId, role: 'owner', joinedAt: new Date() })
    const otherCookie = `${await openSession(server.ctx, other.personId)}; ${browser}`
    expect(await confirm(attempt, { cookie: otherCookie })).toMatchObject({ status: 404 })
    expect(await confirm(attempt, { cookie: `${session}; ${browser}` })).toMatchObject({ status: 200 })
  })

  test('is possible for ten minutes, and then the tokens are deleted', async () => {
    const { attempt, browser } = await comeBack(await start())
    const cookie = `${session}; ${browser}`
    aheadMs = 599_000
    expect((await read(attempt, { cookie })).status).toBe(200)
    aheadMs = 601_000
    expect(await confirm(attempt, { cookie })).toMatchObject({ status: 404, code: 'attempt_not_found' })
    const { system } = server.ctx.db
    await sql`update connect_flow set expires_at = now() - interval '1 second' where attempt_id = ${attempt}`.execute(system)
    await sweepOldRows(system)
    expect(await system.selectFrom('connect_flow').where('attempt_id', '=', attempt).selectAll().execute()).toEqual([])
  })

  test('keeps the tokens encrypted and deletes them when the account is connected', async () => {
    const { attempt, browser } = await comeBack(await start())
    const find = () =>
      server.ctx.db.system
        .selectFrom('connect_flow')
        .where('attempt_id', '=', attempt)
        .select('account_sealed')
        .executeTakeFirstOrThrow()
    const { account_sealed: sealed } = await find()
    expect(sealed?.length).toBeGreaterThan(0)
    expect(sealed?.includes('new-token')).toBe(false)
    await confirm(attempt, { cookie: `${session}; ${browser}` })
    expect((await find()).account_sealed).toBeNull()
  })

  test('sends a person who is not signed in to sign in, and back', async () => {
    const { location, browser } = await comeBack(await start())
    const page = await call('GET', location, { cookie: browser, accept: 'text/html' })
    expect([page.status, page.location]).toEqual([303, `/auth/sign-in?returnTo=${encodeURIComponent(location)}`])
  })

  test('on the page connects the account and returns to the web app', async () => {
    const { attempt, browser, location } = await comeBack(await start({ body: { returnTo: '/integrations?tab=all' } }))
    expect(location).toBe(`/integrations?tab=all&attempt=${attempt}`)
    const sent = { cookie: `${session}; ${browser}`, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const pressed = await call('POST', `/integrations/confirm?attempt=${attempt}`, sent)
    expect([pressed.status, pressed.location]).toEqual([303, '/integrations?tab=all&connected=x-tower'])
  })
})

test('guarantee: the redirect of the platform works once', async () => {
  const state = await start()
  expect((await comeBack(state)).status).toBe(303)
  expect(await comeBack(state)).toMatchObject({ status: 409, code: 'connect_expired' })
})

/** Guarantee: an address without the platform's name has every check of the one with it, and the platform sees the same address twice. */
describe('the address without a name', () => {
  const neutralOf = (platform: string) => `app-${createHash('sha256').update(`callback ${platform}`).digest('hex').slice(0, 8)}`

  test('connects an account, and is the address of the exchange', async () => {
    const { attempt, browser, status } = await comeBack(await start(), { platform: neutralOf('x') })
    expect(status).toBe(303)
    expect(vi.mocked(exchangeCode).mock.lastCall?.[0].redirectUrl).toBe(`${publicUrl}/integrations/${neutralOf('x')}/callback`)
    expect(await confirm(attempt, { cookie: browser })).toMatchObject({ status: 401 })
    expect(await confirm(attempt, { cookie: session })).toMatchObject({ status: 404 })
    expect(await confirm(attempt, { cookie: `${session}; ${browser}` })).toMatchObject({ status: 200, data: { platform: 'x' } })
  })

  test('works once, and for its own platform only', async () => {
    const state = await start()
    await comeBack(state, { platform: neutralOf('x') })
    expect((await comeBack(state, { platform: neutralOf('x') })).code).toBe('connect_expired')
    expect((await comeBack(await start(), { platform: neutralOf('threads') })).code).toBe('connect_expired')
    expect((await comeBack(await start(), { platform: 'app-00000000' })).code).toBe('connect_expired')
  })

  test('is asked for and shown where the operator wants it', () => {
    const neutral = { config: { ...server.ctx.config, neutralCallbacks: ['tiktok'] } }
    expect(redirectUrlOf(neutral, 'tiktok')).toBe(`${publicUrl}/integrations/${neutralOf('tiktok')}/callback`)
    expect(redirectUrlOf(neutral, 'tiktok').replace(publicUrl, '')).not.toMatch(/tik|tok/i)
    expect(redirectUrlOf(neutral, 'x')).toBe(`${publicUrl}/integrations/x/callback`)
  })
})

describe('a failure', () => {
  test('keeps what the platform said', async () => {
    const state = await start({ body: { returnTo: '/integrations' } })
    const query = { code: '', error: 'access_denied', error_description: 'The user denied\r\naccess.' }
    const response = await server.app.inject({
      method: 'GET',
      url: '/integrations/x/callback',
      query: { state, error: query.error, error_description: query.error_description },
    })
    const location = new URL(response.headers.location ?? '', publicUrl)
    expect(location.searchParams.get('connectError')).toBe('connect_refused')
    const [browser = ''] = String(response.headers['set-cookie']).split(';')
    const { data } = await read(location.searchParams.get('attempt') ?? '', { cookie: `${session}; ${browser}` })
    expect(data).toMatchObject({
      state: 'failed',
      code: 'connect_refused',
      message: 'The user denied access.',
      platformCode: 'access_denied',
      platformMessage: 'The user denied access.',
      account: null,
      traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('to exchange the code keeps the code of the platform', async () => {
    const refused = new PlatformError({ kind: 'auth', platformCode: 'invalid_grant', message: 'The code is not valid.' })
    vi.mocked(exchangeCode).mockRejectedValueOnce(refused)
    const { attempt, browser } = await comeBack(await start({ body: { returnTo: '/integrations' } }))
    const cookie = `${session}; ${browser}`
    // The sentence is ours: only what the platform said itself may be quoted.
    const failure = {
      state: 'failed',
      code: 'connect_refused',
      message: 'The code is not valid.',
      platformCode: 'invalid_grant',
      platformMessage: null,
    }
    expect((await read(attempt, { cookie })).data).toMatchObject(failure)
    expect(await confirm(attempt, { cookie })).toMatchObject({ status: 409, code: 'connect_expired' })
  })
})

/** Guarantee: no workspace can take the registration away that all workspaces share at a server. */
describe('the app at a server', () => {
  const startThere = async (by = headers()) => {
    const payload = { instanceUrl: instanceUrl() }
    const sent = { method: 'POST', url: '/integrations/mastodon/start', headers: by, payload } as const
    const { authorizeUrl } = (await server.app.inject(sent)).json<{ data: { authorizeUrl: string } }>().data
    const { searchParams } = new URL(authorizeUrl)
    return { state: searchParams.get('state') ?? '', clientId: searchParams.get('client_id') ?? '' }
  }
  const refuse = (platformCode: string) =>
    vi.mocked(exchangeCode).mockRejectedValueOnce(new PlatformError({ kind: 'auth', platformCode, message: 'Refused.' }))
  const answer = (state: string) => comeBack(state, { platform: 'mastodon' })
  const usedApp = () => vi.mocked(exchangeCode).mock.lastCall?.[0].app.clientId
  const otherWorkspace = async () => {
    const made = await setUpWorkspace(server.ctx, { workspace: 'Attacker', email: `${newUuid()}@example.com` })
    return { authorization: `Bearer ${made.apiKey}`, 'x-workspace-id': made.workspaceId }
  }

  test.each(['invalid_grant', 'invalid_client'])('stays when a code of another workspace is refused with %s', async (code) => {
    const victim = await startThere()
    const attacker = await startThere(await otherWorkspace())
    expect(attacker.clientId).toBe(victim.clientId)
    refuse(code)
    expect((await answer(attacker.state)).code).toBe('connect_refused')
    expect((await answer(victim.state)).status).toBe(303)
    expect((await startThere()).clientId).toBe(victim.clientId)
  })

  test('is registered again when the server does not know it, and what was made with the old one still names it', async () => {
    const before = await startThere()
    const { attempt, browser } = await answer(before.state)
    const { data: connection } = await confirm(attempt, { cookie: `${session}; ${browser}` })
    const [open, failing] = [await startThere(), await startThere()]
    refusedApps.add(failing.clientId)
    refuse('invalid_client')
    await answer(failing.state)
    const after = await startThere()
    expect(after.clientId).not.toBe(before.clientId)
    await answer(open.state)
    expect(usedApp()).toBe(before.clientId)
    await answer(after.state)
    expect(usedApp()).toBe(after.clientId)
    revokedBy.length = 0
    const url = `/api/workspaces/${workspaceId}/connections/${connection.id}/revoke`
    await server.app.inject({ method: 'POST', url, headers: headers() })
    expect(new Set(revokedBy)).toEqual(new Set([before.clientId]))
  })

  test('refuses twenty codes of a workspace in a quarter of an hour, and then none is sent', async () => {
    const codes = []
    for (let n = 0; n < 22; n++) {
      const { state } = await startThere()
      refuse('invalid_grant')
      codes.push((await answer(state)).code)
    }
    vi.mocked(exchangeCode).mockReset().mockResolvedValue(exchanged)
    expect(codes.slice(18)).toEqual(['connect_refused', 'connect_refused', 'rate_limited', 'rate_limited'])
    expect((await answer((await startThere(await otherWorkspace())).state)).status).toBe(303)
  }, 30_000)
})

/** Guarantee: an answer that comes from another server than the one that was asked is refused (RFC 9207). */
describe('the issuer', () => {
  const startThere = () => start({ platform: 'mastodon', body: { instanceUrl: instanceUrl() } })
  const answer = (state: string, query: Record<string, string> = {}) => comeBack(state, { platform: 'mastodon', query })

  test('may be missing where the server does not promise it', async () => {
    expect((await answer(await startThere())).status).toBe(303)
  })

  test('must be the server that was asked', async () => {
    expect(await answer(await startThere(), { iss: 'https://evil.example' })).toMatchObject({ code: 'connect_refused' })
    expect((await answer(await startThere(), { iss: `${instanceUrl()}/` })).status).toBe(303)
  })

  test('must be there where the server promises it', async () => {
    metadata = { issuer: `${instanceUrl()}/`, authorization_response_iss_parameter_supported: true }
    expect(await answer(await startThere())).toMatchObject({ status: 422, code: 'connect_refused' })
    expect((await answer(await startThere(), { iss: `${instanceUrl()}/` })).status).toBe(303)
  })

  test('is not what a server claims that it is', async () => {
    metadata = { issuer: 'https://honest.example' }
    expect(await answer(await startThere(), { iss: 'https://honest.example' })).toMatchObject({ code: 'connect_refused' })
  })
})

test('guarantee: returnTo leads to no other host', async () => {
  for (const returnTo of [
    '//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'https://evil.example',
  ]) {
    const sent = { method: 'POST', url: '/integrations/x/start', headers: headers(), payload: { returnTo } } as const
    expect([returnTo, (await server.app.inject(sent)).statusCode]).toEqual([returnTo, 422])
  }
})

test('Mastodon is asked to show its consent page to people who agreed before', async () => {
  const url = '/integrations/mastodon/start'
  const payload = { instanceUrl: instanceUrl() }
  const started = await server.app.inject({ method: 'POST', url, headers: headers(), payload })
  const { authorizeUrl } = started.json<{ data: { authorizeUrl: string } }>().data
  expect(new URL(authorizeUrl).searchParams.get('force_login')).toBe('true')
})
