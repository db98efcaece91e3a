import type { Webhook } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { parseAllow } from '../../infra/egress/address.ts'
import { createEgress, type Egress } from '../../infra/egress/egress.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { webhookRoutes } from './webhook.routes.ts'

const publicAddress = '203.0.114.7'
const privateAddress = '10.0.0.1'
const url = 'https://hooks.example/records'
const body = { url, events: ['upload.failed'] }

let database: TestDatabase
let egress: Egress
let server: TestServer
let workspace: { workspaceId: string; apiKey: string }
/** Answers a DNS lookup; each test may replace it. */
let lookup: () => Promise<readonly string[]>

beforeAll(async () => {
  database = await startDatabase()
  egress = createEgress({ allow: parseAllow([]), lookup: () => lookup() })
  server = openServer({ database, replace: { egress }, api: [webhookRoutes] })
  workspace = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'ringer@example.com' })
}, 60_000)
afterAll(async () => {
  await server.close()
  await egress.close()
  await database.stop()
})
beforeEach(() => {
  lookup = async () => [publicAddress]
})

type ApiRequest = { path?: string; payload?: object; idempotencyKey?: string }

async function send(method: 'GET' | 'POST' | 'PATCH', { path = '', payload, idempotencyKey }: ApiRequest = {}) {
  const response = await server.app.inject({
    method,
    url: `/api/webhooks${path}`,
    headers: {
      authorization: `Bearer ${workspace.apiKey}`,
      'x-workspace-id': workspace.workspaceId,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(payload && { payload }),
  })
  const { data, error } = response.json<{ data?: Webhook; error?: { code: string; details?: { path: string }[] } }>()
  return { status: response.statusCode, headers: response.headers, data, error }
}

/** Guarantee: no database connection is held while the host of a webhook is resolved. */
test.each(['POST', 'PATCH'] as const)('%s requests that wait for DNS leave the database free', async (method) => {
  const { data: existing } = await send('POST', { payload: body })
  const path = method === 'PATCH' ? `/${existing?.id}` : ''
  // More than there are database connections for requests.
  const many = 40
  const dns = Promise.withResolvers<readonly string[]>()
  let lookups = 0
  lookup = () => {
    lookups++
    return dns.promise
  }
  const payload = method === 'PATCH' ? { url } : body
  const waiting = Promise.all(Array.from({ length: many }, () => send(method, { path, payload })))
  try {
    await expect.poll(() => lookups, { timeout: 2000 }).toBe(many)
    expect((await send('GET')).status).toBe(200)
  } finally {
    dns.resolve([publicAddress])
  }
  expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([method === 'PATCH' ? 200 : 201]))
})

test('a host inside a private network is refused, and nothing is stored', async () => {
  const { data } = await send('POST', { payload: body })
  const before = (await send('GET')).data
  lookup = async () => [privateAddress]
  const moved = { url: 'https://inside.example/' }
  for (const { status, error } of [
    await send('POST', { payload: { ...body, ...moved } }),
    await send('PATCH', { path: `/${data?.id}`, payload: moved }),
  ])
    expect([status, error?.code, error?.details?.[0]?.path]).toEqual([422, 'url_refused', 'url'])
  expect((await send('GET')).data).toEqual(before)
})

test('a webhook that does not exist is 404, also with a URL that would be refused', async () => {
  lookup = async () => [privateAddress]
  const { status, error } = await send('PATCH', { path: `/${'0'.repeat(24)}`, payload: { url } })
  expect([status, error?.code]).toEqual([404, 'webhook_not_found'])
})

/** Guarantee: the first answer to an Idempotency-Key is returned again, even if the host would be refused by then. */
test('an Idempotency-Key returns the first answer although the host has moved to a private network', async () => {
  const first = await send('POST', { payload: body, idempotencyKey: 'a' })
  lookup = async () => [privateAddress]
  const second = await send('POST', { payload: body, idempotencyKey: 'a' })
  expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, 'true'])
  // Only the secret, which is shown once, is left out.
  expect(second.data).toEqual({ ...first.data, secret: expect.stringMatching(/^whsec_…/) })
  const other = await send('POST', { payload: { ...body, url: 'https://inside.example/' }, idempotencyKey: 'a' })
  expect(other.error?.code).toBe('idempotency_key_reused')
})

test('a refused URL leaves the Idempotency-Key unused', async () => {
  lookup = async () => [privateAddress]
  expect((await send('POST', { payload: body, idempotencyKey: 'b' })).error?.code).toBe('url_refused')
  lookup = async () => [publicAddress]
  expect((await send('POST', { payload: body, idempotencyKey: 'b' })).status).toBe(201)
})
