import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newApiKey } from '../../features/api-keys/api-key.ts'
import { setUpWorkspace } from '../../features/workspaces/set-up-install.ts'
import { workspaceRoutes } from '../../features/workspaces/workspace.routes.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'

/**
 * Guarantee: a limit is used up only by those it belongs to. Strangers are limited by their network, and what they claim in a request (a
 * key, a workspace) changes nothing for anybody else.
 */
const limit = 40
let database: TestDatabase
let servers: TestServer[]
let victim: { workspaceId: string; apiKey: string }
let aheadMs = 0

beforeAll(async () => {
  database = await startDatabase()
  const env = { CARILLON_REQUESTS_PER_MINUTE: String(limit) }
  const replace = { nowMs: () => Date.now() + aheadMs }
  servers = [1, 2].map(() => openServer({ database, env, replace, api: [workspaceRoutes] }))
}, 60_000)
afterAll(async () => {
  for (const server of servers) await server.close()
  await database.stop()
})
let persons = 0
beforeEach(async () => {
  aheadMs += 61_000
  const [server] = servers
  if (server) victim = await setUpWorkspace(server.ctx, { workspace: 'Victim', email: `victim${persons++}@example.com` })
})

type Sent = { authorization?: string; from?: string; on?: number; path?: string }

async function send({ authorization, from = '192.0.2.1', on = 0, path = `/api/workspaces/${victim.workspaceId}` }: Sent) {
  const headers = { 'x-workspace-id': victim.workspaceId, ...(authorization !== undefined && { authorization }) }
  const response = await servers[on]?.app.inject({ url: path, remoteAddress: from, headers })
  return { status: response?.statusCode, limit: String(response?.headers['ratelimit']), headers: response?.headers ?? {} }
}
const asVictim = (more: Sent = {}) => send({ authorization: `Bearer ${victim.apiKey}`, from: '198.51.100.1', ...more })

async function statuses(count: number, make: (n: number) => Sent): Promise<Map<number | undefined, number>> {
  const seen = new Map<number | undefined, number>()
  for (let n = 0; n < count; n++) {
    const { status } = await send(make(n))
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  return seen
}

test('strangers with the id of a workspace use up only what their network may send', async () => {
  const seen = await statuses(limit * 3, (n) => ({ authorization: `Bearer nonsense-${n}` }))
  expect(Object.fromEntries(seen)).toEqual({ 401: limit, 429: limit * 2 })
  const answer = await asVictim()
  expect([answer.status, answer.limit]).toEqual([200, `"key";r=${limit - 1};t=60`])
})

test('made-up keys with a valid checksum have no limit of their own', async () => {
  const seen = await statuses(limit * 2, () => ({ authorization: `Bearer ${newApiKey()}` }))
  expect(Object.fromEntries(seen)).toEqual({ 401: limit, 429: limit })
})

test('a whole /64 of IPv6 addresses counts as one', async () => {
  const seen = await statuses(limit * 2, (n) => ({ from: `2001:db8::${(n + 1).toString(16)}` }))
  expect(seen.get(429)).toBe(limit)
  expect((await send({ from: '2001:db8:0:1::1' })).status).toBe(401)
})

test('text after the key is refused, and gives no second limit', async () => {
  for (const authorization of [
    `Bearer ${victim.apiKey} junk`,
    `Bearer ${victim.apiKey},x`,
    `Bearer  `,
    `Basic ${victim.apiKey}`,
    victim.apiKey,
  ])
    expect([authorization, (await asVictim({ authorization })).status]).toEqual([authorization, 401])
  const seen = await statuses(limit + 5, () => ({ authorization: `Bearer ${victim.apiKey}`, from: '198.51.100.1' }))
  expect(Object.fromEntries(seen)).toEqual({ 200: limit, 429: 5 })
  expect((await asVictim({ authorization: `Bearer ${victim.apiKey} more` })).status).toBe(401)
})

test('a key that is in use is not affected by strangers in the same network', async () => {
  const from = '203.0.113.9'
  expect((await asVictim({ from })).status).toBe(200)
  await statuses(limit * 2, (n) => ({ authorization: `Bearer nonsense-${n}`, from }))
  expect((await send({ from })).status).toBe(429)
  expect((await asVictim({ from })).status).toBe(200)
})

test('people who are no members of a workspace do not use up its limit', async () => {
  const [server] = servers
  if (!server) throw new Error('no server was started')
  for (let n = 0; n < 3; n++) {
    const { apiKey } = await setUpWorkspace(server.ctx, { workspace: 'Other', email: `other${persons++}@example.com` })
    const seen = await statuses(limit, () => ({ authorization: `Bearer ${apiKey}`, from: '198.51.100.2' }))
    expect([...seen.keys()].filter((status) => status === 200 || status === 429)).toEqual([])
  }
  expect((await asVictim()).status).toBe(200)
})

test('limits of a key hold on two processes together', async () => {
  const seen = await statuses(limit * 2, (n) => ({ authorization: `Bearer ${victim.apiKey}`, on: n % 2 }))
  expect(seen.get(200)).toBeLessThanOrEqual(limit)
  expect(seen.get(200)).toBeGreaterThanOrEqual(limit * 0.9)
  expect(seen.get(429)).toBeGreaterThanOrEqual(limit)
})

test('limits by network hold on two processes together', async () => {
  const seen = await statuses(limit * 2, (n) => ({ from: '203.0.113.50', on: n % 2 }))
  expect(seen.get(401)).toBeLessThanOrEqual(limit)
})

test('every answer but those of the health checks says what is left', async () => {
  for (const answer of [
    await asVictim(),
    await send({}),
    await asVictim({ path: '/api/nothing' }),
    await asVictim({ path: '/api/%zz' }),
  ])
    for (const name of ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect([name, answer.headers[name] !== undefined]).toEqual([name, true])
})

test('a limit that is reached names the time after which it is not', async () => {
  await statuses(limit, () => ({ authorization: `Bearer ${victim.apiKey}` }))
  const { status, headers } = await asVictim()
  expect([status, headers['x-ratelimit-remaining'], Number(headers['retry-after']) > 0]).toEqual([429, '0', true])
})
