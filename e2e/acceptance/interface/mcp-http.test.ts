import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey, Connection } from '@carillon/sdk'
import { row } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { callData } from '../../support/call.ts'
import { authorizeAccount, confirmAccount } from '../../support/connect-account.ts'
import { callEveryTool, everyState } from '../../support/every-tool.ts'
import { makePng } from '../../support/files.ts'
import { findSubmits } from '../../support/find-submits.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { bluesky, carillon, findPlatformPosts, otherTenant, testStack, uniqueText } from '../../test-stack.ts'

type Answer = { isError: boolean; state: string; facts: Record<string, unknown>; id: string; code: string }
type Assistant = {
  client: Client
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>
  names(): Promise<string[]>
}
type Connecting = {
  key?: string
  workspace?: string
  era?: '2025' | '2026'
  headers?: Record<string, string>
  query?: string
  asked?: () => void
}

const { origin } = new URL(testStack.baseUrl)

/** A client as assistants have one. It accepts every question on behalf of the person, which some do. */
async function connect({
  key = testStack.apiKey,
  workspace = testStack.workspaceId,
  era = '2026',
  headers,
  query = '',
  asked,
}: Connecting = {}): Promise<Assistant> {
  const client = new Client(
    { name: 'acceptance', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: era === '2026' ? { pin: '2026-07-28' } : 'legacy' } },
  )
  client.setRequestHandler('elicitation/create', () => {
    asked?.()
    return { action: 'accept', content: { confirm: true, approved: true } }
  })
  const requestInit = { headers: { authorization: `Bearer ${key}`, 'x-workspace-id': workspace, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp${query}`), { requestInit }))
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
      const [block] = content
      const facts = (structuredContent ?? {}) as Record<string, unknown> & { post?: { id: string }; error?: { code: string } }
      const state = block?.type === 'text' ? (block.text.split('\n')[0] ?? '') : ''
      return { isError, state, facts, id: facts.post?.id ?? '', code: facts.error?.code ?? '' }
    },
  }
}

row('D 22 mcp', async () => {
  for (const era of ['2025', '2026'] as const) {
    const assistant = await connect({ era })
    expect(await assistant.names()).toHaveLength(12)
    const text = uniqueText(`over HTTP ${era}`)
    const published = await assistant.call('publish_post', { accounts: [bluesky], text, when: 'now' })
    expect(published.state).toBe(`PUBLISHED on 1 account: ${bluesky}.`)
    expect(await findSubmits(text)).toMatchObject({ asked: 1, carriedOut: 1 })
  }
  const ask = (method: string, headers: Record<string, string>) => fetch(`${origin}/mcp`, { method, headers })
  const stranger = await ask('POST', { 'content-type': 'application/json' })
  expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('/.well-known/oauth-protected-resource/mcp'),
  ])
  const authorization = `Bearer ${testStack.apiKey}`
  expect((await ask('POST', { authorization, origin: 'https://evil.example' })).status).toBe(403)
  for (const method of ['GET', 'DELETE']) expect((await ask(method, { authorization })).status).toBe(405)
})

/** Guarantee: each tool works with a client of the authors of the protocol, which checks every answer by the schema that the tool announces. */
test.each(['2025', '2026'] as const)('every tool works over HTTP with a client of %s', async (era) => {
  const assistant = await connect({ era })
  expect(await assistant.names()).toEqual(expect.arrayContaining(Object.keys(everyState)))
  expect(await callEveryTool(assistant.call)).toEqual(
    Object.fromEntries(Object.entries(everyState).map(([tool, state]) => [tool, expect.stringMatching(state)])),
  )
})

row('D 22 bounds', async () => {
  const all = await (await connect()).names()
  const reading = await (await connect({ headers: { 'x-mcp-readonly': 'true' } })).names()
  expect(reading.length).toBeLessThan(all.length)
  const few = await connect({ headers: { 'x-mcp-readonly': 'true' }, query: '?tools=publish_post,get_post' })
  expect(await few.names()).toEqual(['get_post'])
  await expect(few.call('publish_post', { accounts: [bluesky], text: 'no', when: 'now' })).rejects.toThrow(/publish_post/)
})

row('D 22 ticket', async () => {
  const { id, url } = await carillon.media.createUploadTicket({ alt: 'A bell' })
  const send = () => fetch(`${url}/bell.png`, { method: 'PUT', body: makePng(21) })
  const sent = await Promise.all(Array.from({ length: 20 }, send))
  expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
  expect((await send()).status).toBe(409)
  const { status, mediaId } = await carillon.media.uploadTicket(id)
  expect([status, (await carillon.media.get(mediaId ?? '')).alt]).toEqual(['used', 'A bell'])
  await expect(otherTenant.media.uploadTicket(id)).rejects.toMatchObject({ code: 'upload_not_found' })
  await carillon.media.remove(mediaId ?? '')
})

/** Guarantee: whatever a model does, nothing goes out that no person approved. The owner's rule says that programs must ask. */
describe('models that do harm where a person approves', () => {
  const owner = new Browser()
  let workspace = ''
  let key = ''
  let account = ''

  const asOwner = async <T>(route: string, body?: object) => {
    const [method, path] = route.split(' ')
    return (await owner.open(`${method} /api${path}`, { ...(body && { body }), workspace })).data as T
  }

  beforeAll(async () => {
    await owner.signIn(newAddress('owner'))
    workspace = (await asOwner<{ id: string }>('POST /workspaces', { name: uniqueText('Assistants') })).id
    key = (await asOwner<ApiKey>(`POST /workspaces/${workspace}/api-keys`, { label: 'agent' })).key ?? ''
    const address = await authorizeAccount({ platform: 'x', handle: `m${Date.now()}`, key, workspaceId: workspace })
    await confirmAccount(owner, address)
    account = (await asOwner<Connection[]>(`GET /workspaces/${workspace}/connections`))[0]?.slug ?? ''
    await asOwner(`PATCH /workspaces/${workspace}`, { approval: 'programs' })
  })

  const revisionOf = async (id: string) =>
    (await asOwner<{ approval?: { revision: string } }>(`GET /content/${id}`)).approval?.revision ?? ''

  test('publishes at once, in every way it finds, and accepts its own questions: nothing goes out', async () => {
    let questions = 0
    const model = await connect({ key, workspace, asked: () => questions++ })
    const text = uniqueText('not approved')
    const draft = await model.call('save_draft', { accounts: [account], text })
    const tries = [
      { accounts: [account], text, when: 'now' },
      { accounts: [account], text, when: 'now', sameTextAgain: true },
      { accounts: [account], text, when: '2031-01-01T09:00' },
      { id: draft.id, when: 'now' },
    ]
    for (const args of tries) expect((await model.call('publish_post', args)).code).toBe('approval_required')
    expect((await model.call('retry_post', { id: draft.id })).isError).toBe(true)
    expect(await findSubmits(text)).toMatchObject({ asked: 0 })
    expect(questions).toBe(0)
  })

  test('swaps the text after it was submitted: what the person looked at is not published', async () => {
    const model = await connect({ key, workspace })
    const [text, swapped] = [uniqueText('approved'), uniqueText('swapped')]
    const { id, state } = await model.call('save_draft', { accounts: [account], text, submit: true })
    expect(state).toMatch(/^WAITING FOR APPROVAL/)
    const seen = await revisionOf(id)
    await model.call('save_draft', { id, text: swapped, submit: true })
    const refused = await owner.open(`POST /api/content/${id}/approve`, { body: { revision: seen }, workspace })
    expect(refused.code).toBe('approval_changed')
    for (const each of [text, swapped]) expect(await findSubmits(each)).toMatchObject({ asked: 0 })
    await asOwner(`POST /content/${id}/approve`, { revision: await revisionOf(id) })
    await expect.poll(async () => (await findSubmits(swapped)).carriedOut, { timeout: 30_000 }).toBe(1)
    const after = await model.call('publish_post', { id, when: 'now' })
    expect(after.state).toContain('ALREADY THERE, nothing was sent now.')
    expect(await findSubmits(swapped)).toMatchObject({ asked: 1, carriedOut: 1 })
  })
})

/** Guarantee: one wish is one post, also when calls come twice, at once, or before what they need. */
describe('models that do harm', () => {
  test('sends the same call five times at once: one post', async () => {
    const text = uniqueText('five times')
    const models = await Promise.all(['2025', '2026', '2026', '2025', '2026'].map((era) => connect({ era: era as '2025' })))
    const answers = await Promise.all(models.map((each) => each.call('publish_post', { accounts: [bluesky], text, when: 'now' })))
    expect(answers.some(({ state }) => state.includes('PUBLISHED'))).toBe(true)
    expect(await findSubmits(text)).toMatchObject({ asked: 1, carriedOut: 1 })
  })

  test('uploads and publishes in parallel, with an id that it guessed: nothing is published with it', async () => {
    const model = await connect()
    const text = uniqueText('in parallel')
    const base64 = Buffer.from(makePng(23)).toString('base64')
    const [added, published] = await Promise.all([
      model.call('add_media', { base64, name: 'bell.png' }),
      model.call('publish_post', { accounts: [bluesky], text, media: [{ id: '0123456789abcdef01234567' }], when: 'now' }),
    ])
    expect([added.isError, published.code]).toEqual([false, 'media_not_found'])
    expect(await findPlatformPosts(text)).toEqual([])
  })

  test('uses a slug of nobody, and a workspace of another: nothing is published', async () => {
    const text = uniqueText('foreign over HTTP')
    expect((await (await connect()).call('publish_post', { accounts: ['x-nobody'], text, when: 'now' })).code).toBe(
      'connection_unknown',
    )
    const stranger = await connect({ key: testStack.otherApiKey })
    expect((await stranger.call('publish_post', { accounts: [bluesky], text, when: 'now' })).code).toBe('workspace_not_found')
    expect(await findSubmits(text)).toMatchObject({ asked: 0 })
  })

  test('works with a key for drafts: it has no tool that publishes', async () => {
    const { key = '' } = await callData<ApiKey>(`POST /workspaces/${testStack.workspaceId}/api-keys`, {
      body: { label: 'drafts', scopes: ['content:draft', 'media:write', 'workspaces:read'] },
    })
    const names = await (await connect({ key })).names()
    expect(names).toContain('save_draft')
    expect(names.filter((name) => /publish|retry|remove|change/.test(name))).toEqual([])
  })
})

/** Guarantee: an answer leaves a model room to work, however much the workspace has. */
describe('a workspace with 10,000 posts', () => {
  const tokensMax = 10_000
  /** An estimate on the safe side: a token of English has about four, and the JSON around it and other scripts have fewer. */
  const bytesOfToken = 3
  const owner = new Browser()
  let workspace = ''
  let key = ''

  beforeAll(async () => {
    await owner.signIn(newAddress('archivist'))
    const made = await owner.open('POST /api/workspaces', { body: { name: uniqueText('Archive') } })
    workspace = (made.data as { id: string }).id
    const { data } = await owner.open(`POST /api/workspaces/${workspace}/api-keys`, { body: { label: 'agent' }, workspace })
    key = (data as ApiKey).key ?? ''
    const address = await authorizeAccount({ platform: 'x', handle: `a${Date.now()}`, key, workspaceId: workspace })
    await confirmAccount(owner, address)
    await queryDatabase(
      `with added as (
        insert into post (workspace_id, id, request_id, status, type, text, platform_options, published_at, warnings, created_at, updated_at, platforms)
        select $1, lpad(to_hex(n), 24, '0'), gen_random_uuid(), case when n % 2 = 0 then 'completed' else 'failed' end, 'text',
          n || ': ' || repeat('Die Glöckner üben “Größe” – 鐘の音. ', 8), '{}', now() - n * interval '1 minute', '[]',
          now() - n * interval '1 minute', now(), 'x'
        from generate_series(1, 10000) as n
        returning workspace_id, id, status)
      insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage, error, warnings)
      select added.workspace_id, added.id, added.id, 0, connection.id, connection.slug, 'Bells', 'x',
        case when added.status = 'completed' then 'published' else 'failed' end, false,
        case when added.status = 'failed' then jsonb_build_object('code', 'rejected', 'message', repeat('The platform refused it. ', 80), 'retryable', false) end, '[]'
      from added join connection using (workspace_id)`,
      [workspace],
    )
  })

  test.each([
    ['list_posts', { limit: 25 }],
    ['list_posts', { limit: 25, status: ['failed'], search: 'Größe' }],
    ['get_post', { id: '1'.padStart(24, '0'), detail: true }],
    ['get_figures', {}],
    ['get_context', {}],
    ['find_media', { limit: 25 }],
  ] as const)('%s %o answers with fewer than 10,000 tokens', async (name, args) => {
    const { client } = await connect({ key, workspace })
    const result = await client.callTool({ name, arguments: args })
    expect([result.isError ?? false, Buffer.byteLength(JSON.stringify(result)) / bytesOfToken < tokensMax]).toEqual([false, true])
  })

  test('the accounts of all platforms, with the settings of one, are below it too', async () => {
    const { client } = await connect()
    const largest = await Promise.all(
      testStack.connections.map(async (settingsOf) => {
        const result = await client.callTool({ name: 'get_context', arguments: { settingsOf } })
        return Buffer.byteLength(JSON.stringify(result)) / bytesOfToken
      }),
    )
    expect(Math.max(...largest)).toBeLessThan(tokensMax)
  })
})
