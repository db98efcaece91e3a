import type { Delivery, Role, Webhook } from '@carillon/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { parseAllow } from '../../infra/egress/address.ts'
import { createEgress, type Egress } from '../../infra/egress/egress.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { maskAddress } from './mask-address.ts'
import { webhookRoutes } from './webhook.routes.ts'

/** Guarantee: the address of a webhook, which for many receivers is the secret, is shown to admins only. */
const url = 'https://hooks.example:8443/services/T0SECRET/B0SECRET?token=SECRET'

let database: TestDatabase
let egress: Egress
let server: TestServer
let workspaceId: string
const keys = new Map<Role, string>()

beforeAll(async () => {
  database = await startDatabase()
  egress = createEgress({ allow: parseAllow([]), lookup: async () => ['203.0.114.7'] })
  server = openServer({ database, replace: { egress }, api: [webhookRoutes] })
  const owner = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'owner@example.com' })
  workspaceId = owner.workspaceId
  keys.set('owner', owner.apiKey)
  for (const role of ['admin', 'editor', 'viewer'] as const) {
    const { personId, apiKey } = await setUpWorkspace(server.ctx, { workspace: 'Own', email: `${role}@example.com` })
    await sql`
      insert into member (workspace_id, person_id, role, joined_at)
      values (${workspaceId}, ${personId}, ${role}, now())`.execute(server.ctx.db.system)
    keys.set(role, apiKey)
  }
}, 60_000)
afterAll(async () => {
  await server.close()
  await egress.close()
  await database.stop()
})

async function send<Data>(role: Role, method: 'GET' | 'POST', path = '', payload?: object): Promise<Data> {
  const headers = { authorization: `Bearer ${keys.get(role)}`, 'x-workspace-id': workspaceId }
  const answer = await server.app.inject({ method, url: `/api/webhooks${path}`, headers, ...(payload && { payload }) })
  expect(answer.statusCode).toBeLessThan(300)
  return answer.json<{ data: Data }>().data
}

test('guarantee: viewers and editors see the host of a webhook, and nothing of its path, its query or what the receiver said', async () => {
  const { id } = await send<Webhook>('admin', 'POST', '', { url, events: ['upload.failed'] })
  await send<Delivery>('admin', 'POST', `/${id}/test`)
  // Many servers repeat the path in an error.
  await sql`update webhook_delivery set response_body = 'Cannot POST /services/T0SECRET'`.execute(server.ctx.db.system)
  const read = async (role: Role) => ({
    list: await send<Webhook[]>(role, 'GET'),
    one: await send<Webhook>(role, 'GET', `/${id}`),
    deliveries: await send<Delivery[]>(role, 'GET', `/${id}/deliveries`),
  })
  for (const role of ['owner', 'admin'] as const) {
    const { list, one, deliveries } = await read(role)
    expect([list[0]?.url, one.url, deliveries[0]?.url]).toEqual([url, url, url])
    expect(deliveries[0]?.responseBody).toContain('T0SECRET')
  }
  for (const role of ['editor', 'viewer'] as const) {
    const { list, one, deliveries } = await read(role)
    const masked = 'https://hooks.example:8443/…'
    expect([list[0]?.url, one.url, deliveries[0]?.url]).toEqual([masked, masked, masked])
    expect(deliveries[0]).toMatchObject({ event: 'webhook.test', responseBody: '' })
    expect(JSON.stringify([list, one, deliveries])).not.toContain('SECRET')
  }
})

test.each([
  ['https://hooks.example', 'https://hooks.example/…'],
  ['https://hooks.example/', 'https://hooks.example/…'],
  ['https://user:pass@hooks.example/a?b#c', 'https://hooks.example/…'],
  ['not an address', '…'],
])('%s is shown as %s', (address, masked) => {
  expect(maskAddress(address)).toBe(masked)
})
