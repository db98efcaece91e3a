import { startModel, type RunningModel } from '@carillon/simulator'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { aiRoutes } from './ai.routes.ts'

/** Guarantee: more workspaces give a person no more AI tokens, and all people together cannot use more than the operator allows. */

let database: TestDatabase
let provider: RunningModel
let aheadMs = 0
const opened: TestServer[] = []

beforeAll(async () => {
  ;[database, provider] = await Promise.all([startDatabase(), startModel()])
}, 60_000)
afterAll(async () => {
  await provider.close()
  await database.stop()
})
beforeEach(() => {
  provider.model.reset()
  // Every test begins in a window of its own.
  aheadMs += 2 * 86_400_000
})
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

function open(env: Record<string, string>): TestServer {
  const server = openServer({
    database,
    env: { CARILLON_AI_URL: provider.url, CARILLON_AI_MODEL: 'test-model', ...env },
    replace: { nowMs: () => Date.now() + aheadMs },
    api: [aiRoutes],
  })
  opened.push(server)
  return server
}

type Owner = { workspaceId: string; apiKey: string }
const create = (server: TestServer, email: string): Promise<Owner> => setUpWorkspace(server.ctx, { workspace: 'Tower', email })

async function ask({ app }: TestServer, { workspaceId, apiKey }: Owner) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/ai/generate-content',
    headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId },
    payload: { uploadType: 'text', platforms: ['x'], text: 'A second shop opens on Monday.' },
  })
  const { error } = response.json<{ error?: { code: string; message: string; action: string } }>()
  return { status: response.statusCode, retryAfter: Number(response.headers['retry-after'] ?? 0), ...error }
}

test('guarantee: a person has one allowance for all their workspaces, which starts again after 24 hours', async () => {
  const server = open({ CARILLON_AI_DAILY_TOKENS_PER_PERSON: '10' })
  const [first, second, other] = [
    await create(server, 'ada@example.com'),
    await create(server, 'ada@example.com'),
    await create(server, 'ben@example.com'),
  ]
  expect((await ask(server, first)).status).toBe(200)
  const refused = await ask(server, second)
  expect(refused).toMatchObject({ status: 429, code: 'ai_daily_limit_reached', action: 'wait' })
  expect(refused.message).toContain('You have used')
  expect(refused.retryAfter).toBeGreaterThan(86_000)
  expect(provider.model.calls).toHaveLength(1)
  expect((await ask(server, other)).status).toBe(200)
  aheadMs += 86_401_000
  expect((await ask(server, second)).status).toBe(200)
})

test('guarantee: the installation has an allowance for all people together', async () => {
  const server = open({ CARILLON_AI_DAILY_TOKENS: '10' })
  expect((await ask(server, await create(server, 'cy@example.com'))).status).toBe(200)
  const refused = await ask(server, await create(server, 'dee@example.com'))
  expect(refused).toMatchObject({ status: 429, code: 'ai_daily_limit_reached' })
  expect(refused.message).toContain('This installation has used')
})

test('guarantee: requests that run at the same time do not pass the limit together', async () => {
  const server = open({ CARILLON_AI_DAILY_TOKENS_PER_PERSON: '5000' })
  const owner = await create(server, 'eve@example.com')
  provider.model.next(...Array.from({ length: 20 }, () => ({ delayMs: 1000 })))
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, owner)))
  const [passed, refused] = [200, 429].map((status) => answers.filter((each) => each.status === status).length)
  expect([passed, refused]).toEqual([3, 17])
  // What was set aside for a request and not used is given back.
  expect((await ask(server, owner)).status).toBe(200)
})

test('a request that fails before the model answers uses nothing', async () => {
  const server = open({ CARILLON_AI_DAILY_TOKENS_PER_PERSON: '10' })
  const owner = await create(server, 'fay@example.com')
  provider.model.next({ status: 401 })
  expect((await ask(server, owner)).status).toBe(503)
  expect((await ask(server, owner)).status).toBe(200)
})

test('without limits nobody is refused', async () => {
  const server = open({ CARILLON_AI_DAILY_TOKENS_PER_PERSON: '0', CARILLON_AI_DAILY_TOKENS: '0' })
  const owner = await create(server, 'gil@example.com')
  for (let n = 0; n < 3; n++) expect((await ask(server, owner)).status).toBe(200)
})
