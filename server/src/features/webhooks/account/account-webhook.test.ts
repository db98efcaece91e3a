import type { AccountWebhook, Delivery, Role, Webhook } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { relayEvents } from '../../../commands/run-worker.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import type { Egress } from '../../../infra/egress/egress.ts'
import { apiKeyRoutes } from '../../api-keys/api-key.routes.ts'
import { addConnections } from '../../connections/add-connections.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { memberRoutes } from '../../members/member.routes.ts'
import { insertMember } from '../../members/member.store.ts'
import { signInAs } from '../../people/sign-in.fixture.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { workspaceRoutes } from '../../workspaces/workspace.routes.ts'
import { deliverAll } from '../deliver.ts'
import { claimDeliveries } from '../dispatch.store.ts'
import type { DeliveryRef } from '../jobs.ts'
import { webhookRoutes } from '../webhook.routes.ts'
import { accountWebhookRoutes } from './account-webhook.routes.ts'

// Guarantee: the webhook of an account receives the events of exactly the workspaces in which its person is owner or admin at this moment.

const url = 'https://hooks.example/services/T0SECRET'

let database: TestDatabase
let server: TestServer
/** What the endpoint answers, and what it was sent. */
let status: number
let received: { workspaceId: string; event: string }[]

type Person = { personId: string; workspaceId: string; key: string }
/** An agency that is admin in the workspace of its client. */
let agency: Person
let client: Person

beforeAll(async () => {
  database = await startDatabase()
  const egress: Egress = {
    async request({ body }) {
      received.push(JSON.parse(String(body)))
      return { status, headers: {}, body: Buffer.from('Cannot POST /services/T0SECRET'), truncated: false, url }
    },
    open: () => Promise.reject(new Error('not used')),
    checkUrl: async () => ({ ok: true, url: new URL(url) }),
    close: async () => {},
  }
  server = openServer({
    database,
    replace: { egress },
    env: { CARILLON_QUOTA_WEBHOOKS: '2' },
    api: [accountWebhookRoutes, apiKeyRoutes, memberRoutes({ afterRoleChange: async () => {} }), webhookRoutes, workspaceRoutes],
  })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})
beforeEach(async () => {
  status = 200
  received = []
  await server.ctx.db.system.deleteFrom('webhook_delivery').execute()
  agency = await signUp('Agency')
  client = await signUp('Client')
  await join(client.workspaceId, agency, 'admin')
})

async function signUp(workspace: string): Promise<Person> {
  const { personId, workspaceId, apiKey } = await setUpWorkspace(server.ctx, { workspace, email: `${newUuid()}@example.com` })
  return { personId, workspaceId, key: apiKey }
}

function join(workspaceId: string, { personId }: Person, role: Role): Promise<void> {
  return insertMember(server.ctx.db.system, { workspaceId, personId, role, joinedAt: new Date() })
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Sent<Data> = { status: number; data: Data; code: string | undefined }

async function send<Data>(by: Person, request: string, body?: object, workspaceId = by.workspaceId): Promise<Sent<Data>> {
  const [method = '', path] = request.split(' ')
  const headers = { authorization: `Bearer ${by.key}`, 'x-workspace-id': workspaceId }
  const reply = await server.app.inject({
    method: method as Method,
    url: `/api${path}`,
    headers,
    ...(body && { payload: body }),
  })
  const { data, error } = reply.json<{ data: Data; error?: { code: string } }>()
  return { status: reply.statusCode, data, code: error?.code }
}

async function addHook(by = agency, more: object = {}): Promise<AccountWebhook> {
  const made = await send<AccountWebhook>(by, 'POST /account/webhooks', {
    url,
    events: ['connection.needs_reconnect'],
    ...more,
  })
  expect(made.status).toBe(201)
  return made.data
}

/** Something happens in this workspace, and the relay plans what follows from it. */
async function happen(workspaceId: string): Promise<void> {
  const { ctx } = server
  const account = { platform: 'x' as const, handle: newUuid(), accountId: newUuid(), credentials: { accessToken: 'token' } }
  const [connection] = await addConnections(ctx, workspaceId, [account])
  const event = { workspaceId, event: 'connection.needs_reconnect' as const, connectionId: connection?.id ?? null }
  await recordEvents(ctx.db.system, [{ ...event, atMs: ctx.nowMs() }])
  await relayEvents(ctx)
}

/** Sends what is due. Returns what is to be tried again. */
async function deliver(): Promise<DeliveryRef[]> {
  const { claimed } = await claimDeliveries(server.ctx.db.system, {
    horizonMs: 5_000,
    lostAfterMs: 60_000,
    perWebhook: 10,
    prompt: { webhookIds: [], perWebhook: 10 },
    limit: 100,
    after: null,
  })
  const retries: DeliveryRef[] = []
  for (const ref of claimed) retries.push(...(await deliverAll(server.ctx, [ref])).map(({ payload }) => payload as DeliveryRef))
  return retries
}

const workspaces = () => received.map(({ workspaceId }) => workspaceId).toSorted()
const deliveriesOf = async ({ workspaceId }: Person, id: string) =>
  (await send<Delivery[]>(client, `GET /webhooks/${id}/deliveries`, undefined, workspaceId)).data

test('guarantee: it receives the events of all workspaces of its person, also of those made later, and of no other', async () => {
  const stranger = await signUp('Stranger')
  await addHook()
  const made = await send<{ id: string }>(agency, 'POST /workspaces', { name: 'Later' })
  for (const id of [agency.workspaceId, client.workspaceId, made.data.id, stranger.workspaceId]) await happen(id)
  await deliver()
  expect(workspaces()).toEqual([agency.workspaceId, client.workspaceId, made.data.id].toSorted())
})

test('guarantee: whoever is below admin receives nothing, and who becomes admin receives what happens from then on', async () => {
  const editor = await signUp('Editor')
  await join(client.workspaceId, editor, 'editor')
  await addHook(editor)
  await happen(client.workspaceId)
  const role = { role: 'admin' }
  expect((await send(client, `PATCH /workspaces/${client.workspaceId}/members/${editor.personId}`, role)).status).toBe(200)
  await deliver()
  expect(received).toEqual([])
  await happen(client.workspaceId)
  await deliver()
  expect(workspaces()).toEqual([client.workspaceId])
})

const losses: [string, () => Promise<Sent<unknown>>][] = [
  ['is removed', () => send(client, `DELETE /workspaces/${client.workspaceId}/members/${agency.personId}`)],
  [
    'becomes an editor',
    () => send(client, `PATCH /workspaces/${client.workspaceId}/members/${agency.personId}`, { role: 'editor' }),
  ],
  ['leaves', () => send(agency, `DELETE /workspaces/${client.workspaceId}/members/me`, undefined, client.workspaceId)],
]

test.each(losses)(
  'guarantee: an admin who %s receives nothing from then on, also nothing that waits to be sent again',
  async (...[, lose]) => {
    await addHook()
    await happen(client.workspaceId)
    status = 500
    const waiting = await deliver()
    expect([waiting.length, received.length]).toEqual([1, 1])
    await happen(client.workspaceId)
    expect((await lose()).status).toBe(200)
    status = 200
    await deliver()
    expect(await deliverAll(server.ctx, waiting)).toEqual([])
    expect(received).toHaveLength(1)
    const rows = await server.ctx.db.system.selectFrom('webhook_delivery').select(['status', 'response_body']).execute()
    const ended = { status: 'failed', response_body: expect.stringContaining('not owner or admin') }
    expect(rows).toEqual([ended, ended])
  },
)

test('guarantee: an event of a time in which the person was admin is not planned once they are not', async () => {
  await addHook()
  const role = { role: 'viewer' }
  expect((await send(client, `PATCH /workspaces/${client.workspaceId}/members/${agency.personId}`, role)).status).toBe(200)
  await happen(client.workspaceId)
  expect(await server.ctx.db.system.selectFrom('webhook_delivery').select('id').execute()).toEqual([])
})

test('guarantee: members see that it exists and whose it is, and nobody in the workspace reads its address or what it answers', async () => {
  const { id } = await addHook()
  // Before anything was sent.
  const [seen] = (await send<Webhook[]>(client, 'GET /webhooks')).data
  expect(seen).toMatchObject({ id, url: 'https://hooks.example/…', active: true, account: { userId: agency.personId } })
  await happen(client.workspaceId)
  await deliver()
  const list = await send<Webhook[]>(client, 'GET /webhooks')
  const one = await send<Webhook>(client, `GET /webhooks/${id}`)
  const [delivery] = await deliveriesOf(client, id)
  expect(delivery).toMatchObject({ status: 'delivered', responseBody: '' })
  expect(JSON.stringify([list, one, delivery])).not.toContain('SECRET')
  expect((await send<Webhook[]>(agency, 'GET /webhooks', undefined, client.workspaceId)).data).toEqual(list.data)
  // Not even that it exists is seen elsewhere.
  const stranger = await signUp('Stranger')
  expect((await send(stranger, `GET /webhooks/${id}`)).code).toBe('webhook_not_found')
  expect((await send(client, `GET /account/webhooks/${id}`)).code).toBe('webhook_not_found')
})

test('guarantee: its person reads in each workspace what their program answered, also when they send it again, and a key for one workspace does not', async () => {
  const { id } = await addHook()
  await happen(client.workspaceId)
  status = 404
  await deliver()
  const list = () => send<Delivery[]>(agency, `GET /webhooks/${id}/deliveries`, undefined, client.workspaceId)
  const whole = { url, responseBody: 'Cannot POST /services/T0SECRET' }
  const [delivery] = (await list()).data
  expect(delivery).toMatchObject({ statusCode: 404, ...whole })
  const again = `POST /webhooks/${id}/deliveries/${delivery?.id}/redeliver`
  expect((await send<Delivery>(agency, again, undefined, client.workspaceId)).data).toMatchObject({ status: 'pending', url })
  const wanted = { label: 'here only', workspaceOnly: true }
  const path = `POST /workspaces/${client.workspaceId}/api-keys`
  agency.key = (await send<{ key: string }>(agency, path, wanted, client.workspaceId)).data.key
  expect(JSON.stringify((await list()).data)).not.toContain('SECRET')
})

test('guarantee: who owns the workspace shuts an account out, a new webhook of the account does not help, and only an owner allows it again', async () => {
  const { id } = await addHook()
  await happen(client.workspaceId)
  status = 500
  const waiting = await deliver()
  const path = `PATCH /webhooks/${id}`
  expect((await send(agency, path, { active: false }, client.workspaceId)).code).toBe('role_forbidden')
  const shut = await send<Webhook>(client, path, { active: false })
  expect(shut.data).toMatchObject({ active: false, account: { isShutOut: true } })
  status = 200
  await addHook()
  await happen(client.workspaceId)
  await deliver()
  await deliverAll(server.ctx, waiting)
  expect(received).toHaveLength(1)
  const own = await send<AccountWebhook>(agency, `GET /account/webhooks/${id}`)
  expect(own.data).toMatchObject({ workspaces: 1, shutOut: [{ workspaceId: client.workspaceId, name: 'Client' }] })
  expect((await send(agency, path, { active: true }, client.workspaceId)).code).toBe('role_forbidden')
  expect((await send<Webhook>(client, path, { active: true })).data).toMatchObject({ active: true })
  await happen(client.workspaceId)
  await deliver()
  expect(received).toHaveLength(3)
})

test('guarantee: a workspace changes nothing else of it', async () => {
  const { id } = await addHook()
  await happen(client.workspaceId)
  const at = `/webhooks/${id}`
  for (const [request, body] of [
    [`PATCH ${at}`, { url: 'https://evil.example/' }],
    [`PATCH ${at}`, { active: true, events: ['upload.failed'] }],
    [`PATCH ${at}`, {}],
    [`POST ${at}/rotate-secret`],
    [`DELETE ${at}`],
  ] as const)
    expect([request, (await send(client, request, body)).code]).toEqual([request, 'webhook_of_account'])
  expect((await send<AccountWebhook>(agency, `GET /account/webhooks/${id}`)).data).toMatchObject({ url, active: true })
})

test('guarantee: it takes nothing of the quota of a workspace; an account has a quota of its own', async () => {
  await addHook()
  await addHook()
  await happen(client.workspaceId)
  expect((await send(agency, 'POST /account/webhooks', { url, events: ['upload.failed'] })).code).toBe('quota_reached')
  const create = () => send(client, 'POST /webhooks', { url, events: ['upload.failed'] })
  expect([(await create()).status, (await create()).status, (await create()).code]).toEqual([201, 201, 'quota_reached'])
})

test('a change of its address, its secret or its pause counts for all workspaces at once', async () => {
  const { id, secret } = await addHook()
  await happen(client.workspaceId)
  status = 500
  const [first] = await deliver()
  const at = `/account/webhooks/${id}`
  const rotated = await send<AccountWebhook>(agency, `POST ${at}/rotate-secret`)
  expect(rotated.data.secret).not.toBe(secret)
  expect((await send<AccountWebhook>(agency, `GET ${at}`)).data.secret).toMatch(/^whsec_…/)
  await send(agency, `PATCH ${at}`, { active: false })
  if (!first) throw new Error('nothing waits')
  expect(await deliverAll(server.ctx, [first])).toEqual([])
  await happen(agency.workspaceId)
  expect(await deliver()).toEqual([])
  expect(received).toHaveLength(1)
  await send(agency, `PATCH ${at}`, { active: true })
  await happen(agency.workspaceId)
  await deliver()
  expect(received).toHaveLength(2)
})

test('an endpoint that answers 410 is left alone by all workspaces', async () => {
  const { id } = await addHook()
  await happen(client.workspaceId)
  status = 410
  await deliver()
  const { data } = await send<AccountWebhook>(agency, `GET /account/webhooks/${id}`)
  expect(data).toMatchObject({ active: false, disabledReason: expect.stringContaining('410') })
  await happen(agency.workspaceId)
  await deliver()
  expect(received).toHaveLength(1)
})

test('a test comes from a workspace, and what failed is sent again from there', async () => {
  const { id } = await addHook()
  const path = `POST /account/webhooks/${id}/test`
  const stranger = await signUp('Stranger')
  expect((await send(agency, path, { workspaceId: stranger.workspaceId })).code).toBe('workspace_not_found')
  expect((await send<Delivery>(agency, path)).data).toMatchObject({ event: 'webhook.test', url, status: 'pending' })
  expect((await send(agency, path, { workspaceId: client.workspaceId })).status).toBe(200)
  status = 404
  await deliver()
  expect(workspaces()).toEqual([agency.workspaceId, client.workspaceId].toSorted())
  const [delivery] = await deliveriesOf(client, id)
  const again = await send<Delivery>(client, `POST /webhooks/${id}/deliveries/${delivery?.id}/redeliver`)
  expect(again.data).toMatchObject({ status: 'pending', url: 'https://hooks.example/…' })
})

test('what a person changes is in the log of their account', async () => {
  const { id } = await addHook()
  await send(agency, `PATCH /account/webhooks/${id}`, { active: false })
  await send(agency, `POST /account/webhooks/${id}/rotate-secret`)
  await send(agency, `DELETE /account/webhooks/${id}`)
  const entries = server.ctx.db.system.selectFrom('account_entry').where('person_id', '=', agency.personId)
  const rows = await entries.select(['action', 'detail']).orderBy('id').execute()
  expect(rows.map(({ action }) => action)).toEqual(
    ['create', 'update', 'rotate_secret', 'remove'].map((verb) => `account_webhook.${verb}`),
  )
  expect(new Set(rows.map(({ detail }) => detail))).toEqual(new Set(['https://hooks.example/…']))
})

test('removing it removes its deliveries everywhere', async () => {
  const { id } = await addHook()
  await happen(client.workspaceId)
  expect((await send(client, `DELETE /account/webhooks/${id}`)).code).toBe('webhook_not_found')
  expect((await send(agency, `DELETE /account/webhooks/${id}`)).status).toBe(200)
  for (const table of ['webhook', 'webhook_delivery'] as const)
    expect(
      await server.ctx.db.system.selectFrom(table).where('workspace_id', '=', client.workspaceId).selectAll().execute(),
    ).toEqual([])
})

test('a session manages it too, and a key that works in one workspace only does not', async () => {
  const { ctx, app } = server
  const headers = { cookie: await signInAs(ctx, agency.personId), origin: new URL(ctx.config.publicUrl).origin }
  const payload = { url, events: ['upload.failed'] }
  expect((await app.inject({ method: 'POST', url: '/api/account/webhooks', headers, payload })).statusCode).toBe(201)
  await ctx.db.system.updateTable('api_key').where('person_id', '=', agency.personId).set({ workspace_only: true }).execute()
  expect((await send(agency, 'GET /account/webhooks')).code).toBe('scope_missing')
  expect((await send(agency, 'POST /account/webhooks', payload)).code).toBe('scope_missing')
})
