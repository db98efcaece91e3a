import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { apiKeyRoutes } from '../../features/api-keys/api-key.routes.ts'
import { insertMember } from '../../features/members/member.store.ts'
import { webhookRoutes } from '../../features/webhooks/webhook.routes.ts'
import { setUpWorkspace } from '../../features/workspaces/set-up-install.ts'
import { workspaceRoutes } from '../../features/workspaces/workspace.routes.ts'
import { newUuid } from '../db/ids.ts'
import { open } from '../sealing/seal.ts'

let database: TestDatabase
let server: TestServer
let owner: { workspaceId: string; apiKey: string; personId: string }
let admin: typeof owner

beforeAll(async () => {
  database = await startDatabase()
  const env = { CARILLON_EGRESS_ALLOW: '127.0.0.0/8' }
  server = openServer({ database, env, api: [apiKeyRoutes, webhookRoutes, workspaceRoutes] })
  owner = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'owner@example.com' })
  admin = await setUpWorkspace(server.ctx, { workspace: 'Other', email: 'admin@example.com' })
  const { workspaceId } = owner
  await insertMember(server.ctx.db.system, { workspaceId, personId: admin.personId, role: 'admin', joinedAt: new Date() })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

type Sent = { method?: 'POST' | 'PATCH'; by?: string; key: string; body?: object | string }

async function send(path: string, { method = 'POST', by = owner.apiKey, key, body = {} }: Sent) {
  const response = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${by}`,
      'x-workspace-id': owner.workspaceId,
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    payload: body,
  })
  const { data, error } = response.json<{ data: Record<string, unknown>; error?: { code: string } }>()
  const { 'idempotent-replayed': replayed, 'idempotent-secret': secret } = response.headers
  return { status: response.statusCode, data, code: error?.code, replayed, secret }
}

const keysPath = () => `/workspaces/${owner.workspaceId}/api-keys`
const hook = { url: 'https://127.0.0.1:9/hook', events: ['upload.failed'] }

test('guarantee: a stored answer is given only to the person and key that sent the first request', async () => {
  const key = newUuid()
  const first = await send(keysPath(), { key, body: { label: 'deploy' } })
  const byAdmin = await send(keysPath(), { key, body: { label: 'deploy' }, by: admin.apiKey })
  expect([byAdmin.status, byAdmin.replayed]).toEqual([201, undefined])
  expect(byAdmin.data['id']).not.toBe(first.data['id'])
  // Another key of the same person is another caller.
  const byOtherKey = await send(keysPath(), { key, body: { label: 'deploy' }, by: String(first.data['key']) })
  expect([byOtherKey.status, byOtherKey.replayed]).toEqual([201, undefined])
  expect((await send(keysPath(), { key, body: { label: 'deploy' } })).data['id']).toBe(first.data['id'])
})

/** Guarantee: a secret that is shown once is in no stored answer. */
test.each([
  ['a new API key', async () => ({ path: keysPath(), body: { label: 'once' }, field: 'key' })],
  ['the secret of a webhook', async () => ({ path: '/webhooks', body: hook, field: 'secret' })],
  [
    'a rotated secret',
    async () => {
      const { data } = await send('/webhooks', { key: newUuid(), body: hook })
      return { path: `/webhooks/${String(data['id'])}/rotate-secret`, body: {}, field: 'secret' }
    },
  ],
])('%s is left out of the answer to a repeated request', async (_what, prepare) => {
  const { path, body, field } = await prepare()
  const key = newUuid()
  const first = await send(path, { key, body })
  const again = await send(path, { key, body })
  const secret = String(first.data[field])
  expect(secret).toMatch(/^(?:sk_|whsec_)[\w+/-]{20}/)
  expect([again.status, again.replayed, again.secret, first.secret]).toEqual([first.status, 'true', 'omitted', undefined])
  expect(JSON.stringify(again.data)).not.toContain(secret)
  expect(again.data['id']).toBe(first.data['id'])

  const { db, config } = server.ctx
  const row = await db.system.selectFrom('idempotency').where('key', '=', key).selectAll().executeTakeFirstOrThrow()
  const place = { workspaceId: row.workspace_id, rowId: `${row.caller} ${row.route} ${row.key}`, column: 'idempotency' }
  expect(open(config.secretKeys, place, row.body_sealed)).not.toContain(secret)
})

test('a body is compared as JSON: the order of its keys makes no difference, a value does', async () => {
  const path = `/workspaces/${owner.workspaceId}`
  const key = newUuid()
  const sent = { method: 'PATCH' as const, key }
  const first = await send(path, { ...sent, body: '{"name":"Belfry","timezone":"UTC"}' })
  expect(first.status).toBe(200)
  const reordered = await send(path, { ...sent, body: '{ "timezone": "UTC", "name": "Belfry" }' })
  expect([reordered.status, reordered.replayed]).toEqual([200, 'true'])
  expect((await send(path, { ...sent, body: { name: 'Belfry' } })).code).toBe('idempotency_key_reused')
})

test('guarantee: the same key on another id of the same route is another request', async () => {
  const [a, b] = [
    await send('/webhooks', { key: newUuid(), body: hook }),
    await send('/webhooks', { key: newUuid(), body: hook }),
  ]
  const key = newUuid()
  const first = await send(`/webhooks/${String(a.data['id'])}/rotate-secret`, { key })
  const second = await send(`/webhooks/${String(b.data['id'])}/rotate-secret`, { key })
  expect([first.data['id'], second.data['id'], second.replayed]).toEqual([a.data['id'], b.data['id'], undefined])
})
