import { createHmac } from 'node:crypto'
import type { Platform } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { stopChannels } from '../../posts/stop-channels.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { addConnections } from '../add-connections.ts'
import { noticeRoutes } from './notice.routes.ts'

const secrets = { instagram: 'secret of instagram', threads: 'secret of threads' }
const publicUrl = 'https://carillon.example'
let database: TestDatabase
let server: TestServer
let removed: string[] = []
let user = ''

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({
    database,
    env: {
      CARILLON_PUBLIC_URL: publicUrl,
      CARILLON_APP_INSTAGRAM: `ig:${secrets.instagram}`,
      CARILLON_APP_THREADS: `th:${secrets.threads}`,
      CARILLON_APP_X: 'x:secret',
    },
    root: [noticeRoutes({ beforeRemoval: stopChannels, removeFile: async (_tx, { key }) => void removed.push(key) })],
  })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})
beforeEach(() => {
  removed = []
  user = `1784140${Math.trunc(Math.random() * 1e10)}`
})

type Signed = { userId?: string; issuedAtMs?: number; secret?: string }

function sign({ userId = user, issuedAtMs = Date.now(), secret = secrets.instagram }: Signed = {}): string {
  const content = { algorithm: 'HMAC-SHA256', issued_at: Math.trunc(issuedAtMs / 1000), expires: 0, user_id: userId }
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`
}

function send(kind: 'deauthorize' | 'data-deletion', request = sign(), platform = 'instagram') {
  return server.app.inject({
    method: 'POST',
    url: `/integrations/${platform}/${kind}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ signed_request: request }).toString(),
  })
}

type Connected = { workspaceId: string; id: string }
const hourMs = 3_600_000

/** An account that was connected an hour ago, in a workspace of its own. */
async function connect(platform: Platform = 'instagram', appUserId: string | undefined = user): Promise<Connected> {
  const { workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const account = { platform, handle: 'tower', accountId: appUserId ?? user, credentials: { accessToken: 't' } }
  // Instagram names the account by an id of its own, and the person by another one.
  const named = platform === 'instagram' ? { ...account, accountId: `9${user}`, appUserId } : account
  const [made] = await addConnections(server.ctx, workspaceId, [named])
  if (!made) throw new Error('no connection was added')
  await renewAt({ workspaceId, id: made.id }, Date.now() - hourMs)
  return { workspaceId, id: made.id }
}

async function renewAt({ workspaceId, id }: Connected, atMs: number): Promise<void> {
  await server.ctx.db.system
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ token_renewed_at: new Date(atMs), avatar_key: `${workspaceId}/avatars/1`, status: 'active', status_reason: null })
    .execute()
}

async function stateOf({ workspaceId, id }: Connected) {
  const row = await server.ctx.db.system
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(['status', 'status_code', 'status_reason'])
    .executeTakeFirst()
  return row ? [row.status, row.status_code, row.status_reason] : null
}

async function auditOf({ workspaceId, id }: Connected) {
  const rows = await server.ctx.db.system
    .selectFrom('audit_entry')
    .where('workspace_id', '=', workspaceId)
    .where('subject_id', '=', id)
    .select(['action', 'person_id'])
    .execute()
  return rows.map(({ action, person_id }) => [action, person_id])
}

const active = ['active', null, null]
const withdrawn = ['needs_reconnect', 'token_refused', 'The permission was removed in the settings of Instagram.']

test('guarantee: who removes the app on the platform sees their account as to be connected again, in every workspace', async () => {
  const [first, second] = [await connect(), await connect()]
  const [stranger, elsewhere] = [await connect('instagram', '1'), await connect('threads')]
  expect((await send('deauthorize')).statusCode).toBe(200)
  expect([await stateOf(first), await stateOf(second)]).toEqual([withdrawn, withdrawn])
  expect([await stateOf(stranger), await stateOf(elsewhere)]).toEqual([active, active])
  expect(await auditOf(first)).toEqual([['connection.deauthorize', null]])
  const events = await server.ctx.db.system
    .selectFrom('outbox_event')
    .where('workspace_id', '=', second.workspaceId)
    .select('event')
    .execute()
  expect(events.map(({ event }) => event)).toContain('connection.needs_reconnect')
})

test('a repeated request changes nothing more', async () => {
  const connection = await connect()
  const request = sign()
  for (let times = 0; times < 3; times++) expect((await send('deauthorize', request)).statusCode).toBe(200)
  expect(await auditOf(connection)).toHaveLength(1)
})

test.each(['deauthorize', 'data-deletion'] as const)(
  'guarantee: %s of before does not touch an account that was connected again since',
  async (kind) => {
    const connection = await connect()
    const request = sign({ issuedAtMs: Date.now() - hourMs / 2 })
    await send('deauthorize', request)
    expect(await stateOf(connection)).toEqual(withdrawn)
    await renewAt(connection, Date.now())
    expect((await send(kind, request)).statusCode).toBe(200)
    expect((await stateOf(connection))?.[0]).toBe('active')
  },
)

test.each([
  ['forged', () => sign({ secret: 'a guess' })],
  ['signed for another platform', () => sign({ secret: secrets.threads })],
  ['of the day before yesterday', () => sign({ issuedAtMs: Date.now() - 25 * hourMs })],
  ['of tomorrow', () => sign({ issuedAtMs: Date.now() + 24 * hourMs })],
  ['empty', () => ''],
])('guarantee: a request that is %s is refused and changes nothing', async (_, request) => {
  const connection = await connect()
  for (const kind of ['deauthorize', 'data-deletion'] as const) {
    const { statusCode, json } = await send(kind, request())
    expect([statusCode, json().error.code]).toEqual([422, 'request_invalid'])
  }
  expect(await stateOf(connection)).toEqual(active)
})

test('guarantee: a data deletion removes tokens, name and picture in every workspace, and tells so on a page', async () => {
  const [first, second, stranger] = [await connect(), await connect(), await connect('instagram', '1')]
  const answer = await send('data-deletion')
  expect(answer.statusCode).toBe(200)
  const { url, confirmation_code: code } = answer.json<{ url: string; confirmation_code: string }>()
  expect(Object.keys(answer.json())).toEqual(['url', 'confirmation_code'])
  expect(code).toMatch(/^[0-9a-z]+$/)
  expect(url).toBe(`${publicUrl}/legal/data-deletion/${code}`)
  expect([await stateOf(first), await stateOf(second), await stateOf(stranger)]).toEqual([null, null, active])
  expect(removed.toSorted()).toEqual([first, second].map(({ workspaceId }) => `${workspaceId}/avatars/1`).toSorted())
  expect(await auditOf(first)).toEqual([['connection.delete_data', null]])

  const page = await server.app.inject({ url: new URL(url).pathname, headers: { accept: 'text/html' } })
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain(code)
  expect(page.body).toContain('Instagram sent us your request')
  expect(page.body).toContain('were deleted')
  expect(page.body).not.toContain(user)
  const german = await server.app.inject({ url: `${new URL(url).pathname}?lang=de` })
  expect(german.body).toContain('Sie ist abgeschlossen.')

  const again = await send('data-deletion')
  expect(again.json().confirmation_code).toBe(code)
  expect((await server.app.inject({ url: new URL(url).pathname })).body).toContain('were deleted')
})

test('a deletion also removes the tokens of an account that was disconnected a moment ago', async () => {
  const connection = await connect()
  const { workspaceId, id } = connection
  const change = { status: 'disconnected', disconnected_at: new Date() } as const
  await server.ctx.db.system
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .execute()
  expect((await send('data-deletion')).statusCode).toBe(200)
  expect(await stateOf(connection)).toBeNull()
})

test('a user of whom nothing is stored gets a code too, and the page says so', async () => {
  const { url } = (await send('data-deletion')).json<{ url: string }>()
  expect((await server.app.inject({ url: new URL(url).pathname })).body).toContain('we had no data of this account')
})

test('a code that nobody got is unknown', async () => {
  for (const code of ['0'.repeat(24), 'x', '%27'])
    expect((await server.app.inject({ url: `/legal/data-deletion/${code}` })).statusCode).toBe(404)
})

test('Threads has its own secret and names people by the id of the account', async () => {
  const connection = await connect('threads')
  expect((await send('deauthorize', sign(), 'threads')).statusCode).toBe(422)
  expect((await send('deauthorize', sign({ secret: secrets.threads }), 'threads')).statusCode).toBe(200)
  expect((await stateOf(connection))?.[0]).toBe('needs_reconnect')
})

test('a platform that sends no such requests, or is not known, has no address for them', async () => {
  expect((await send('deauthorize', sign(), 'x')).statusCode).toBe(404)
  expect((await send('deauthorize', sign(), 'nothing')).statusCode).toBe(404)
})

test('guarantee: a large body is refused, and many requests of one network are limited', async () => {
  expect((await send('deauthorize', 'a'.repeat(9000))).statusCode).toBe(413)
  const from = '10.9.8.7'
  const guess = () =>
    server.app.inject({
      method: 'POST',
      url: '/integrations/instagram/deauthorize',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'signed_request=a.b',
      remoteAddress: from,
    })
  const codes = new Set<number>()
  for (let times = 0; times < 400; times++) codes.add((await guess()).statusCode)
  expect([...codes].toSorted()).toEqual([422, 429])
})
