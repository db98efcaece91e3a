import { createHmac } from 'node:crypto'
import { connectors, exchangeCode, type Connector } from '@carillon/connectors'
import type { ApiKey, ConnectLink, Connection } from '@carillon/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { apiKeyRoutes } from '../../api-keys/api-key.routes.ts'
import { insertMember } from '../../members/member.store.ts'
import { openSession } from '../../people/session.fixture.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { workspaceRoutes } from '../../workspaces/workspace.routes.ts'
import { connectionRoutes } from '../connection.routes.ts'
import { integrationRoutes } from '../connect/integration.routes.ts'
import type { ConnectionHooks } from '../disconnect.ts'
import { connectLinkPages, connectLinkRoutes } from './connect-link.routes.ts'

/**
 * Guarantee: a connect link connects the account of the person who opened it, once, after they have confirmed account and workspace in the
 * browser with which they agreed, while an admin of the workspace wants it (decision 27).
 */

vi.mock('@carillon/connectors', async (original) => ({
  ...(await original<typeof import('@carillon/connectors')>()),
  exchangeCode: vi.fn<typeof exchangeCode>(({ code }) =>
    Promise.resolve({ credentials: { accessToken: code }, scopes: ['tweet.read', 'users.read'] }),
  ),
}))

const publicUrl = 'http://localhost:3000'
const origin = 'https://app.example.com'
let database: TestDatabase
let server: TestServer
let workspaceId: string
let apiKey: string
let personId: string
let aheadMs: number

beforeAll(async () => {
  database = await startDatabase()
  // The code is the name of the account, so a test chooses who agrees on the platform.
  const account: Connector['account'] = ({ http: _http, credentials: { accessToken: name } }) =>
    Promise.resolve({ id: `id-${name}`, handle: name, displayName: `The ${name}`, avatarUrl: null })
  const pages = () => Promise.resolve([{ id: 'page-1', handle: 'page', displayName: 'A page', avatarUrl: null }])
  const x: Connector = { ...connectors.x, account }
  const linkedin: Connector = {
    ...connectors.linkedin,
    account,
    auth: { ...connectors.linkedin.auth, targets: pages } as Connector['auth'],
  }
  const open = (_http: unknown, { identifier = '' }: Record<string, string>) => Promise.resolve({ accessToken: identifier })
  const bluesky: Connector = { ...connectors.bluesky, account, auth: { ...connectors.bluesky.auth, open } as Connector['auth'] }
  const hooks: ConnectionHooks = { beforeRemoval: () => Promise.resolve(), afterReconnect: () => Promise.resolve() }
  server = openServer({
    database,
    env: { CARILLON_APP_X: 'id:secret', CARILLON_APP_LINKEDIN: 'id:secret', CARILLON_PUBLIC_URL: publicUrl },
    replace: {
      connectors: { ...connectors, bluesky, x, linkedin },
      engine: { wakeWorkers: () => {}, send: () => Promise.resolve(), waitFor: () => Promise.resolve() },
      nowMs: () => Date.now() + aheadMs,
    },
    api: [connectLinkRoutes, connectionRoutes(hooks), workspaceRoutes, apiKeyRoutes],
    root: [integrationRoutes(hooks), connectLinkPages(hooks)],
  })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  aheadMs = 0
  ;({ workspaceId, apiKey, personId } = await setUpWorkspace(server.ctx, {
    workspace: 'Acme',
    email: `${newUuid()}@example.com`,
  }))
  await api('PATCH', `/workspaces/${workspaceId}`, { returnOrigins: [origin] })
})

type Reply<T> = { status: number; data: T; code: string | undefined }

async function api<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, key = apiKey): Promise<Reply<T>> {
  const response = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${key}`, 'x-workspace-id': workspaceId },
    ...(body && { payload: body }),
  })
  const { data, error } = response.json<{ data: T; error?: { code: string } }>()
  return { status: response.statusCode, data, code: error?.code }
}

const makeLink = async (body: object = { platforms: ['x'] }, key = apiKey) =>
  (await api<ConnectLink & { url: string; returnSecret: string }>('POST', '/connect-links', body, key)).data

type Page = { status: number; text: string; location: string; goTo: string }

/** A browser with the cookies that it was given. */
class Visitor {
  cookie: string
  constructor(cookie = '') {
    this.cookie = cookie
  }

  get(address: string): Promise<Page> {
    return this.#send('GET', address)
  }

  press(address: string, form: Record<string, string> = {}, from = publicUrl): Promise<Page> {
    return this.#send('POST', address, form, from)
  }

  async #send(method: 'GET' | 'POST', address: string, form: Record<string, string> = {}, from = ''): Promise<Page> {
    const { pathname, search } = new URL(address, publicUrl)
    const isForm = method === 'POST'
    const response = await server.app.inject({
      method,
      url: pathname + search,
      headers: {
        accept: 'text/html',
        ...(this.cookie && { cookie: this.cookie }),
        ...(isForm && { origin: from, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(isForm && { payload: new URLSearchParams(form).toString() }),
    })
    const [set] = [response.headers['set-cookie']].flat()
    if (set) this.cookie = set.split(';')[0] ?? ''
    const goTo = (response.headers['refresh'] ?? '').replace('0;url=', '')
    return { status: response.statusCode, text: response.body, location: response.headers.location ?? '', goTo }
  }

  /** Goes to the platform. Returns the state that the platform sends back. */
  async start(url: string, platform = 'x'): Promise<string> {
    const { goTo } = await this.press(`${url}&platform=${platform}`)
    return new URL(goTo).searchParams.get('state') ?? ''
  }

  /** Comes back from the platform, where `name` agreed. Returns the address of the page that asks. */
  async comeBack(state: string, name: string, platform = 'x'): Promise<Page> {
    return this.get(`/integrations/${platform}/callback?state=${state}&code=${name}`)
  }

  async connect(url: string, name: string, form: Record<string, string> = {}, platform = 'x'): Promise<Page> {
    const { location } = await this.comeBack(await this.start(url, platform), name, platform)
    return this.press(location, { answer: 'connect', ...form })
  }
}

const listConnections = async () => (await api<Connection[]>('GET', `/workspaces/${workspaceId}/connections`)).data
const handles = async () => (await listConnections()).map(({ handle }) => handle)

type Result = { linkId: string; state: string; connectionId: string | null; externalId: string | null }

function readResult(address: string, secret: string): Result {
  const { searchParams } = new URL(address)
  const result = searchParams.get('carillon_result') ?? ''
  expect(searchParams.get('carillon_signature')).toBe(createHmac('sha256', secret).update(result).digest('hex'))
  return JSON.parse(Buffer.from(result, 'base64url').toString())
}

describe('a link', () => {
  test('guarantee: a person without an account here connects theirs, and comes back with a signed result', async () => {
    const link = await makeLink({
      platforms: ['x'],
      externalId: 'c-1',
      metadata: { plan: 'gold' },
      returnUrl: `${origin}/done?customer=7`,
    })
    expect(link).toMatchObject({ state: 'open', connectionId: null, externalId: 'c-1', isReconnect: false })
    const visitor = new Visitor()
    const opened = await visitor.get(link.url)
    expect(opened.status).toBe(200)
    expect(opened.text).toContain('Acme')
    expect(opened.text).toMatch(/<dt>Asked by<\/dt><dd><bdi>[^<]+<\/bdi> <span class="quiet">\(<bdi>[^<]+@example.com/)
    const back = await visitor.comeBack(await visitor.start(link.url), 'tower')
    expect([back.status, await handles()]).toEqual([303, []])
    const page = await visitor.get(back.location)
    expect(page.text).toContain('@tower (The tower)')
    expect(page.text).toContain('Acme')
    const done = await visitor.press(back.location, { answer: 'connect' })
    expect(done.status).toBe(200)
    const [connection] = await listConnections()
    expect(connection).toMatchObject({ handle: 'tower', externalId: 'c-1', metadata: { plan: 'gold' } })
    expect(done.goTo.startsWith(`${origin}/done?customer=7&`)).toBe(true)
    expect(readResult(done.goTo, link.returnSecret)).toMatchObject({
      linkId: link.id,
      state: 'connected',
      connectionId: connection?.id,
      externalId: 'c-1',
    })
    const [listed] = (await api<ConnectLink[]>('GET', '/connect-links')).data
    expect(listed).toMatchObject({ id: link.id, state: 'used', connectionId: connection?.id })
    expect(listed).not.toHaveProperty('url')
    const { rows } = await sql<{ event: string }>`
      select event from outbox_event where workspace_id = ${workspaceId} and event like 'connection.connected'`.execute(
      server.ctx.db.system,
    )
    expect(rows).toHaveLength(1)
  })

  test('neither the database nor a repeated answer has the secrets', async () => {
    const link = await makeLink({ platforms: ['x'], returnUrl: `${origin}/` })
    const { rows } = await sql`select l::text as row from connect_link l`.execute(server.ctx.db.system)
    const token = new URL(link.url).searchParams.get('token') ?? 'none'
    const stored = JSON.stringify(rows)
    for (const secret of [
      token,
      Buffer.from(token).toString('hex'),
      link.returnSecret,
      Buffer.from(link.returnSecret).toString('hex'),
    ])
      expect(stored).not.toContain(secret)
  })

  test('works for a platform with an app password', async () => {
    const { url } = await makeLink({ platforms: ['bluesky', 'x'] })
    const visitor = new Visitor()
    expect((await visitor.get(url)).text).toContain('platform=bluesky')
    const page = await visitor.get(`${url}&platform=bluesky&lang=de`)
    expect(page.text).toContain('App-Passwort')
    const checked = await visitor.press(`${url}&platform=bluesky`, { 'fields.identifier': 'tower', 'fields.password': 'secret' })
    expect([checked.status, await handles()]).toEqual([303, []])
    // Another browser that learns the address cannot confirm.
    expect((await new Visitor().press(checked.location, { answer: 'connect' })).status).toBe(404)
    expect((await visitor.press(checked.location, { answer: 'connect' })).status).toBe(200)
    expect(await handles()).toEqual(['tower'])
  })

  test('lets the person choose the page, and connects none that was not offered', async () => {
    const { url } = await makeLink({ platforms: ['linkedin'] })
    const visitor = new Visitor()
    const { location } = await visitor.comeBack(await visitor.start(url, 'linkedin'), 'tower', 'linkedin')
    expect((await visitor.get(location)).text).toContain('value="page-1"')
    for (const form of [{}, { targetId: 'page-2' }])
      expect((await visitor.press(location, { answer: 'connect', ...form })).status).toBe(422)
    expect(await handles()).toEqual([])
    expect((await visitor.press(location, { answer: 'connect', targetId: 'page-1' })).status).toBe(200)
    expect(await listConnections()).toMatchObject([{ handle: 'page', target: { id: 'page-1' } }])
  })

  test('can be cancelled, and then used', async () => {
    const link = await makeLink({ platforms: ['x'], returnUrl: `${origin}/` })
    const visitor = new Visitor()
    const { location } = await visitor.comeBack(await visitor.start(link.url), 'tower')
    const cancelled = await visitor.press(location, { answer: 'cancel' })
    expect(readResult(cancelled.goTo, link.returnSecret)).toMatchObject({ state: 'cancelled', connectionId: null })
    expect((await visitor.press(location, { answer: 'connect' })).status).toBe(409)
    expect((await visitor.connect(link.url, 'tower')).status).toBe(200)
  })

  test('a refusal of the platform is explained, and can be tried again', async () => {
    const link = await makeLink({ platforms: ['x'], returnUrl: `${origin}/` })
    const visitor = new Visitor()
    const state = await visitor.start(link.url)
    const { location } = await visitor.get(`/integrations/x/callback?state=${state}&error=access_denied`)
    const page = await visitor.get(location)
    const again = /href="(\/integrations\/link\?attempt=[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await visitor.connect(again, 'tower')).status).toBe(200)
  })

  test('reconnects the same account, and refuses another one', async () => {
    await new Visitor().connect((await makeLink({ platforms: ['x'], externalId: 'c-1' })).url, 'tower')
    const [before] = await listConnections()
    const { url } = await makeLink({ connectionId: before?.id })
    const visitor = new Visitor()
    const other = await visitor.comeBack(await visitor.start(url), 'spire')
    expect((await visitor.get(other.location)).text).toContain('not the account that is to be reconnected')
    expect((await visitor.press(other.location, { answer: 'connect' })).status).toBe(409)
    expect((await visitor.connect(url, 'tower')).status).toBe(200)
    expect(await listConnections()).toMatchObject([{ id: before?.id, handle: 'tower', externalId: 'c-1' }])
    const wrong = { connectionId: before?.id, externalId: 'c-2' }
    expect((await api('POST', '/connect-links', wrong)).code).toBe('request_invalid')
  })

  test('guarantee: an account of one customer does not move to another one', async () => {
    await new Visitor().connect((await makeLink({ platforms: ['x'], externalId: 'c-1' })).url, 'tower')
    const { url } = await makeLink({ platforms: ['x'], externalId: 'c-2' })
    expect((await new Visitor().connect(url, 'tower')).status).toBe(409)
    expect(await listConnections()).toMatchObject([{ externalId: 'c-1' }])
    expect((await api('POST', '/connect-links', { platforms: ['x'], externalId: 'c-1' })).code).toBe('external_id_taken')
  })
})

describe('guarantee: only the owner of the account, in their browser, connects it', () => {
  /** Attack: login CSRF. The attacker agrees with their own account, and hands the way back to the victim. */
  test('a sign-in of another browser cannot be finished here', async () => {
    const { url } = await makeLink()
    const attacker = new Visitor()
    const victim = new Visitor()
    await victim.start(url)
    const state = await attacker.start(url)
    expect((await victim.comeBack(state, 'attacker')).status).toBe(409)
    expect((await new Visitor().comeBack(state, 'attacker')).status).toBe(409)
    // It was not used up by the try.
    expect((await attacker.comeBack(state, 'attacker')).status).toBe(303)
    expect(await handles()).toEqual([])
  })

  test('the page after the consent is worth nothing in another browser', async () => {
    const { url } = await makeLink()
    const victim = new Visitor()
    const { location } = await victim.comeBack(await victim.start(url), 'tower')
    const stranger = new Visitor()
    await stranger.start(url)
    expect((await stranger.get(location)).status).toBe(404)
    expect((await stranger.press(location, { answer: 'connect' })).status).toBe(404)
    expect((await stranger.press(location, { answer: 'cancel' })).status).toBe(404)
  })

  test('another site cannot press the button', async () => {
    const { url } = await makeLink()
    const victim = new Visitor()
    const { location } = await victim.comeBack(await victim.start(url), 'tower')
    for (const from of ['https://evil.example', 'null'])
      expect((await victim.press(location, { answer: 'connect' }, from)).status).toBe(403)
    expect((await victim.press(url, {}, 'https://evil.example')).status).toBe(403)
    expect(await handles()).toEqual([])
  })

  test('neither a session of an admin nor a key confirms what a link started', async () => {
    const { url } = await makeLink()
    const visitor = new Visitor()
    const { location } = await visitor.comeBack(await visitor.start(url), 'tower')
    const attempt = new URL(location, publicUrl).searchParams.get('attempt') ?? ''
    const session = await openSession(server.ctx, personId)
    const confirmed = await server.app.inject({
      method: 'POST',
      url: `/integrations/attempts/${attempt}/confirm`,
      headers: { cookie: `${visitor.cookie}; ${session}`, origin: publicUrl },
    })
    expect([confirmed.statusCode, await handles()]).toEqual([404, []])
  })

  test('names cannot change what the page says', async () => {
    const evil = '<b>Bank</b>" onx="\u202E'
    await api('PATCH', `/workspaces/${workspaceId}`, { name: evil })
    const page = await new Visitor().get((await makeLink()).url)
    expect(page.text).not.toContain('<b>')
    expect(page.text).not.toContain('" onx')
    expect(page.text).toContain('<bdi>&lt;b&gt;Bank')
  })
})

describe('guarantee: the workspace wants the account when it is connected', () => {
  /** Each ends the link after the person has agreed on the platform, and before they confirm. */
  const ends: readonly [string, (link: ConnectLink) => Promise<unknown>][] = [
    ['it has expired', async () => (aheadMs = 8 * 86_400_000)],
    ['it was revoked', (link) => api('DELETE', `/connect-links/${link.id}`)],
    [
      'its maker is an editor',
      () =>
        sql`update member set role = 'editor' where workspace_id = ${workspaceId} and person_id = ${personId}`.execute(
          server.ctx.db.system,
        ),
    ],
    [
      'its maker is gone',
      () => sql`delete from member where workspace_id = ${workspaceId} and person_id = ${personId}`.execute(server.ctx.db.system),
    ],
    ['its key is gone', () => sql`delete from api_key where workspace_id = ${workspaceId}`.execute(server.ctx.db.system)],
    [
      'its key has lost the right',
      () => sql`update api_key set scopes = '{content:write}' where workspace_id = ${workspaceId}`.execute(server.ctx.db.system),
    ],
    [
      'its key has expired',
      () => sql`update api_key set expires_at = now() where workspace_id = ${workspaceId}`.execute(server.ctx.db.system),
    ],
  ]

  test.each(ends)('no account is connected when %s', async (_name, end) => {
    const link = await makeLink()
    const visitor = new Visitor()
    const { location } = await visitor.comeBack(await visitor.start(link.url), 'tower')
    const state = await visitor.start(link.url)
    await end(link)
    for (const address of [link.url, location]) expect((await visitor.get(address)).status).toBeGreaterThanOrEqual(404)
    expect((await visitor.press(location, { answer: 'connect' })).status).toBeGreaterThanOrEqual(404)
    expect((await visitor.comeBack(state, 'tower')).status).not.toBe(200)
    const { rows } = await sql`select from connection where workspace_id = ${workspaceId}`.execute(server.ctx.db.system)
    expect(rows).toEqual([])
  })

  test('a link connects one account, whoever comes first', async () => {
    const { url } = await makeLink()
    const visitors = ['tower', 'spire', 'belfry'].map((name) => ({ name, visitor: new Visitor() }))
    const pages: string[] = []
    for (const { name, visitor } of visitors) pages.push((await visitor.comeBack(await visitor.start(url), name)).location)
    const done = await Promise.all(visitors.map(({ visitor }, at) => visitor.press(pages[at] ?? '', { answer: 'connect' })))
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await handles()).toHaveLength(1)
    expect((await new Visitor().get(url)).status).toBe(409)
    expect((await new Visitor().press(`${url}&platform=x`)).status).toBe(409)
  })

  test('pressing twice gives one connection', async () => {
    const { url } = await makeLink()
    const visitor = new Visitor()
    const { location } = await visitor.comeBack(await visitor.start(url), 'tower')
    const done = await Promise.all([0, 1].map(() => visitor.press(location, { answer: 'connect' })))
    expect([done.map(({ status }) => status), await handles()]).toEqual([[200, 200], ['tower']])
  })

  test('a link is for its platforms', async () => {
    const { url } = await makeLink({ platforms: ['x'] })
    const page = await new Visitor().press(`${url}&platform=linkedin`)
    expect(new URL(page.goTo).host).not.toContain('linkedin')
  })
})

describe('guarantee: people are sent only where an admin allowed', () => {
  test.each([
    'http://app.example.com/',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://user@app.example.com/',
    'https://app.example.com:8443/',
    'https://app.example.com/#x',
    'javascript:alert(1)',
    '//app.example.com/',
  ])('%s is refused', async (returnUrl) => {
    expect((await api('POST', '/connect-links', { platforms: ['x'], returnUrl })).code).toBe('return_url_refused')
  })

  test('an origin that was removed meanwhile is not used', async () => {
    const link = await makeLink({ platforms: ['x'], returnUrl: `${origin}/` })
    await api('PATCH', `/workspaces/${workspaceId}`, { returnOrigins: ['https://other.example'] })
    const done = await new Visitor().connect(link.url, 'tower')
    expect([done.status, done.goTo, done.text.includes(origin)]).toEqual([200, '', false])
  })

  test.each([
    'http://app.example.com',
    'https://app.example.com/path',
    'https://*.example.com/x',
    'app.example.com',
    'https://a@b.example',
  ])('%s is no origin', async (text) => {
    expect((await api('PATCH', `/workspaces/${workspaceId}`, { returnOrigins: [text] })).code).toBe('return_url_refused')
  })
})

describe('who may make links', () => {
  const makeKey = async (scopes: string[]) =>
    (await api<ApiKey>('POST', `/workspaces/${workspaceId}/api-keys`, { label: 'k', scopes })).data.key ?? ''

  test('a key needs its own scope, and cannot change the origins with it', async () => {
    const inviter = await makeKey(['connections:invite'])
    expect((await api('POST', '/connect-links', { platforms: ['x'] }, inviter)).status).toBe(201)
    expect((await api('PATCH', `/workspaces/${workspaceId}`, { returnOrigins: [] }, inviter)).code).toBe('scope_missing')
    const writer = await makeKey(['content:*', 'workspaces:*'])
    expect((await api('POST', '/connect-links', { platforms: ['x'] }, writer)).code).toBe('scope_missing')
  })

  test('an editor makes none', async () => {
    const other = await setUpWorkspace(server.ctx, { workspace: 'Other', email: `${newUuid()}@example.com` })
    await server.ctx.db.system
      .transaction()
      .execute((tx) => insertMember(tx, { workspaceId, personId: other.personId, role: 'editor', joinedAt: new Date() }))
    expect((await api('POST', '/connect-links', { platforms: ['x'] }, other.apiKey)).code).toBe('role_forbidden')
  })

  test('another workspace sees and revokes none of them', async () => {
    const link = await makeLink()
    const other = await setUpWorkspace(server.ctx, { workspace: 'Other', email: `${newUuid()}@example.com` })
    const foreign = { authorization: `Bearer ${other.apiKey}`, 'x-workspace-id': other.workspaceId }
    const list = await server.app.inject({ url: '/api/connect-links', headers: foreign })
    expect(list.json<{ data: unknown[] }>().data).toEqual([])
    const revoked = await server.app.inject({ method: 'DELETE', url: `/api/connect-links/${link.id}`, headers: foreign })
    expect(revoked.statusCode).toBe(404)
    expect((await new Visitor().get(link.url)).status).toBe(200)
  })
})
