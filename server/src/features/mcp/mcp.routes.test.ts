import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { makePng } from '../media/files.fixture.ts'
import { ticketRoutes } from '../media/tickets/ticket.routes.ts'
import { platformRoutes } from '../platforms/platform.routes.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { mcpRoutes } from './mcp.routes.ts'

let api: PostApi
let dir: string
let address: string

const routes = [apiKeyRoutes, platformRoutes, workspaceRoutes]

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-mcp-'))
  api = await PostApi.start(dir, { routes, root: [mcpRoutes, ticketRoutes] })
  address = await listen(api)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function listen({ server: { app } }: PostApi): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`
}

type Connecting = { key?: string; headers?: Record<string, string>; url?: string; era?: '2025' | '2026' }

async function connect({ key = api.apiKey, headers = {}, url = address, era = '2026' }: Connecting = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2026' ? { pin: '2026-07-28' } : 'legacy' } },
  )
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
  const [block] = content
  const facts = structuredContent as { post?: { id: string }; error?: { code: string } } | undefined
  return { state: block?.type === 'text' ? (block.text.split('\n')[0] ?? '') : '', facts, isError }
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

async function makeKey(scopes: string[]): Promise<{ id: string; key: string }> {
  const { data } = await api.send<{ id: string; key: string }>('POST', `/workspaces/${api.workspaceId}/api-keys`, {
    label: 'assistant',
    scopes,
  })
  return data
}

const reading = ['content:read', 'media:read', 'analytics:read', 'workspaces:read']

/** Guarantee: clients of both versions of the protocol reach the same tools, and a tool does what the key of its caller may do. */
describe.each(['2025', '2026'] as const)('a client of %s', (era) => {
  test('sees twelve tools, saves a draft, and reads it again', async () => {
    const client = await connect({ era })
    expect(await namesOf(client)).toHaveLength(12)
    const saved = await callTool(client, 'save_draft', { accounts: [api.first], text: `Ding ${era}` })
    expect(saved.state).toBe('DRAFT: nothing was published and nothing is scheduled.')
    const id = saved.facts?.post?.id ?? ''
    expect(await api.get(id)).toMatchObject({ status: 'draft', text: `Ding ${era}` })
    expect((await callTool(client, 'get_post', { id })).state).toContain('DRAFT')
    await client.close()
  })

  test('is refused without a key, with a wrong one, and with a cookie', async () => {
    for (const key of ['', 'sk_wrong', `${api.apiKey.slice(0, -1)}x`])
      await expect(connect({ era, key })).rejects.toThrow(/api_key_|401|[Uu]nauthor/)
    const { status, headers } = await post({ headers: { cookie: 'carillon.session_token=x' }, key: null })
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })
})

type Posting = {
  key?: string | null
  headers?: Record<string, string>
  payload?: string | object
  method?: 'GET' | 'POST' | 'DELETE'
}

async function post({ key = api.apiKey, headers = {}, payload = initialize, method = 'POST' }: Posting = {}) {
  const response = await api.server.app.inject({
    method,
    url: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === 'POST' && { payload }),
  })
  return { status: response.statusCode, headers: response.headers, body: response.body }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** Guarantee: no other site makes a browser call the tools, and nothing but POST is answered. */
test('an origin is our own or there is none', async () => {
  const own = new URL(api.ctx.config.publicUrl).origin
  expect((await post({ headers: { origin: own } })).status).toBe(200)
  for (const origin of ['https://evil.example', 'null', `${own}.evil.example`, own.replace('http:', 'https:')]) {
    const refused = await post({ headers: { origin } })
    expect([origin, refused.status, refused.body.includes('origin_refused')]).toEqual([origin, 403, true])
    expect((await post({ headers: { origin }, method: 'GET' })).status).toBe(403)
  }
})

test('GET and DELETE are 405, and a person who opens the address is told what it is for', async () => {
  for (const method of ['GET', 'DELETE'] as const) {
    const { status, headers } = await post({ method })
    expect([status, headers['allow']]).toEqual([405, 'POST'])
  }
  const page = await post({ method: 'GET', key: null, headers: { accept: 'text/html' } })
  expect([page.status, page.body.includes('An address for assistants')]).toEqual([405, true])
})

test('a body that is no JSON, too large, or sent by a stranger is refused', async () => {
  expect((await post({ payload: 'nonsense' })).status).toBe(400)
  expect((await post({ headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  const large = `"${'x'.repeat(8_000_000)}"`
  expect((await post({ payload: large })).status).toBe(413)
  expect((await post({ payload: large, key: null })).status).toBe(401)
})

/** Guarantee: no client waits for news that never come. Clients open a stream for every change that a server announces. */
test('no changes are announced, and the stream of a client that asks for them ends at once', async () => {
  const unchanging = { tools: { listChanged: false }, resources: { listChanged: false }, prompts: { listChanged: false } }
  for (const era of ['2025', '2026'] as const) {
    const client = await connect({ era })
    expect(client.getServerCapabilities()).toEqual(unchanging)
    await client.close()
  }
  const version = { name: 'test', version: '1.0.0' }
  const { status, body } = await post({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true, promptsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': version,
        },
      },
    },
  })
  const frames = [...body.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as object)
  expect([status, frames]).toEqual([
    200,
    [
      expect.objectContaining({
        method: 'notifications/subscriptions/acknowledged',
        params: expect.objectContaining({ notifications: {} }),
      }),
      expect.objectContaining({ id: 1, result: expect.objectContaining({ resultType: 'complete' }) }),
    ],
  ])
})

/** Guarantee: what narrows the tools never widens them, and a tool that is not offered cannot be called. */
describe('how far the tools go', () => {
  test('the scopes of the key', async () => {
    const drafting = await connect({ key: (await makeKey([...reading, 'content:draft', 'media:write'])).key })
    expect(await namesOf(drafting)).toEqual(expect.arrayContaining(['save_draft', 'add_media', 'get_post']))
    expect(await namesOf(drafting)).not.toContain('publish_post')
    await expect(callTool(drafting, 'publish_post', { accounts: [api.first], text: 'no', when: 'now' })).rejects.toThrow(
      /publish_post/,
    )
    const only = await connect({ key: (await makeKey(reading)).key })
    expect((await only.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  })

  test('the header and the address of the client', async () => {
    const readonly = await connect({ headers: { 'x-mcp-readonly': 'true' } })
    expect(await namesOf(readonly)).not.toContain('save_draft')
    const { key } = await makeKey(reading)
    for (const headers of [{ 'x-mcp-readonly': 'false' }, {}]) {
      const wide = await connect({ key, headers, url: `${address}?tools=publish_post,get_post,invented` })
      expect(await namesOf(wide)).toEqual(['get_post'])
    }
  })

  test.each([
    ['read', false, false],
    ['draft', true, false],
    ['on', true, true],
  ] as const)('the setting %s of the operator', async (mode, mayDraft, mayPublish) => {
    const { config } = api.ctx
    const before = config.mcp
    Object.assign(config, { mcp: mode })
    const names = await namesOf(await connect({ headers: { 'x-mcp-readonly': 'false' } }))
    Object.assign(config, { mcp: before })
    expect([names.includes('save_draft'), names.includes('publish_post')]).toEqual([mayDraft, mayPublish])
  })

  test('off: there is no such address', async () => {
    const other = await mkdtemp(join(tmpdir(), 'carillon-mcp-off-'))
    const off = await PostApi.start(other, { root: [mcpRoutes], env: { CARILLON_MCP: 'off' } })
    const { statusCode } = await off.server.app.inject({ method: 'POST', url: '/mcp', payload: initialize })
    expect(statusCode).toBe(404)
    await off.stop()
    await rm(other, { recursive: true, force: true })
  }, 60_000)
})

/** Guarantee: a call is one of the key that made it, in the log and in its workspace only. */
test('the audit log names the key, and another workspace cannot be chosen', async () => {
  const { id, key } = await makeKey([...reading, 'content:write'])
  const saved = await callTool(await connect({ key }), 'save_draft', { accounts: [api.first], text: 'Who was it?' })
  const entry = await api.ctx.db.system
    .selectFrom('audit_entry')
    .where('subject_id', '=', saved.facts?.post?.id ?? '')
    .select(['action', 'api_key_id', 'workspace_id'])
    .executeTakeFirst()
  expect(entry).toEqual({ action: 'post.create', api_key_id: id, workspace_id: api.workspaceId })

  const mine = { workspaceId: api.workspaceId, apiKey: api.apiKey, first: api.first, second: api.second, personId: api.personId }
  await api.openWorkspace()
  const foreign = await connect({ key, headers: { 'x-workspace-id': api.workspaceId } })
  const refused = await callTool(foreign, 'list_posts')
  expect([refused.isError, refused.facts?.error?.code]).toEqual([true, 'workspace_not_found'])
  Object.assign(api, mine)
})

test('a key that is revoked is refused at the next request', async () => {
  const { id, key } = await makeKey(reading)
  const client = await connect({ key })
  expect((await callTool(client, 'list_posts')).isError).toBe(false)
  await api.send('DELETE', `/workspaces/${api.workspaceId}/api-keys/${id}`)
  await expect(callTool(client, 'list_posts')).rejects.toThrow(/api_key_|401|[Uu]nauthor/)
})

/** Guarantee: where people approve, a program can only ask, and a file comes in without being in the conversation. */
test('a draft is submitted once, and the answer has the page on which a person approves it', async () => {
  // The key of the tests is that of a program, which may not change the rule.
  const setRule = (approval: 'none' | 'programs') =>
    api.ctx.db.tenant(api.workspaceId, (tx) =>
      tx.updateTable('workspace').where('id', '=', api.workspaceId).set({ approval }).execute(),
    )
  await setRule('programs')
  const client = await connect({ key: (await makeKey([...reading, 'content:write'])).key })
  const refused = await callTool(client, 'publish_post', { accounts: [api.first], text: 'Not yet approved', when: 'now' })
  expect([refused.isError, refused.facts?.error?.code]).toEqual([true, 'approval_required'])
  const wish = { accounts: [api.first], text: 'Please approve', submit: true }
  const submitted = await callTool(client, 'save_draft', wish)
  expect(submitted.state).toMatch(/^WAITING FOR APPROVAL: nothing was published/)
  const id = submitted.facts?.post?.id ?? ''
  expect((await callTool(client, 'save_draft', wish)).facts?.post?.id).toBe(id)
  const { approval } = await api.get(id)
  expect(approval).toMatchObject({ state: 'pending' })
  expect(approval?.history?.map(({ action }) => action)).toEqual(['submitted'])
  const published = await callTool(client, 'publish_post', { id, when: 'now' })
  expect([published.isError, published.facts?.error?.code]).toEqual([true, 'approval_required'])
  await setRule('none')
})

test('a file of any size comes in at an address, and is found by its ticket', async () => {
  const client = await connect()
  const asked = await client.callTool({ name: 'add_media', arguments: { ticket: true, alt: 'A bell' } })
  const { upload } = asked.structuredContent as { upload: { ticket: string; address: string } }
  expect((await callTool(client, 'find_media', { ticket: upload.ticket })).state).toMatch(/^NOT YET: no file has arrived\./)
  const payload = Buffer.from(await makePng())
  const sent = await api.server.app.inject({ method: 'PUT', url: `${new URL(upload.address).pathname}/bell.png`, payload })
  expect(sent.statusCode).toBe(201)
  const found = await client.callTool({ name: 'find_media', arguments: { ticket: upload.ticket } })
  expect(found.structuredContent).toMatchObject({
    files: [{ untrustedName: 'bell.png', facts: expect.stringContaining('with alt text') }],
  })
  const both = await callTool(client, 'add_media', { ticket: true, url: 'https://example.com/a.png' })
  expect([both.isError, both.facts?.error?.code]).toEqual([true, 'file_missing'])
})

test('a file comes in as base64 through the same routes', async () => {
  const base64 = Buffer.from(await makePng()).toString('base64')
  expect((await callTool(await connect(), 'add_media', { base64, name: 'bell.png' })).state).toMatch(/^ADDED/)
})
