import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { planDeliveries } from '../webhooks/plan-deliveries.ts'
import { takeEvents } from '../events/outbox.store.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { addConnections } from './add-connections.ts'
import { announceExpiring } from './announce-expiring.ts'
import { findConnection } from './connection.store.ts'
import { presentConnection } from './present-connection.ts'

const dayMs = 86_400_000
let database: TestDatabase
let server: TestServer
let workspaceId: string

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database })
}, 60_000)

beforeEach(async () => {
  await server.ctx.db.system.deleteFrom('outbox_event').execute()
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  workspaceId = made.workspaceId
})

afterAll(async () => {
  await server.close()
  await database.stop()
})

async function connect(platform: 'linkedin' | 'x', days: number, refreshToken?: string): Promise<string> {
  const credentials = { accessToken: 't', expiresAtMs: Date.now() + days * dayMs, ...(refreshToken && { refreshToken }) }
  const account = { platform, handle: newUuid().slice(-8), accountId: newUuid(), credentials }
  const [made] = await addConnections(server.ctx, workspaceId, [account])
  if (!made) throw new Error('not connected')
  return made.id
}

const events = () =>
  server.ctx.db.system.transaction().execute(async (tx) => (await takeEvents(tx, { from: 0, limit: 100 })).events)

/** Guarantee: there is one warning before a permission ends that only the owner of the account can renew. */
test('connection.expiring is recorded once, and only for a token that ends soon and cannot be renewed', async () => {
  const { ctx } = server
  const ending = await connect('linkedin', 2)
  await connect('linkedin', 20)
  await connect('linkedin', -1)
  await connect('linkedin', 2, 'refresh')
  await connect('x', 0.1, 'refresh')
  expect(await announceExpiring(ctx)).toBe(false)
  await announceExpiring(ctx)
  expect((await events()).map(({ event, connectionId }) => [event, connectionId])).toEqual([['connection.expiring', ending]])
  const row = await findConnection(ctx.db.system, workspaceId, ending)
  const shown = row && presentConnection(ctx, { row, nowMs: Date.now() })
  expect(shown).toMatchObject({
    status: 'expiring',
    statusReason: expect.stringMatching(/^The permission ends on \d{4}-\d\d-\d\d and /),
  })

  // A new token is announced again when it ends.
  const expiresAt = new Date(Date.now() + 3 * dayMs)
  await ctx.db.system.updateTable('connection').where('id', '=', ending).set({ token_expires_at: expiresAt }).execute()
  await announceExpiring(ctx)
  expect(await events()).toHaveLength(1)
})

test('a row of an earlier version is judged by its credentials', async () => {
  const { ctx } = server
  const [renewable, ending] = [await connect('x', 0.1, 'refresh'), await connect('x', 0.1)]
  await ctx.db.system.updateTable('connection').where('workspace_id', '=', workspaceId).set({ token_renewable: null }).execute()
  await announceExpiring(ctx)
  expect((await events()).map(({ connectionId }) => connectionId)).toEqual([ending])
  expect((await findConnection(ctx.db.system, workspaceId, renewable))?.token_renewable).toBe(true)
})

/** Guarantee: the body of the event says what the event is about, even if the account was connected again in the meantime. */
test('the delivery has the status, the reason and the time of the end', async () => {
  const { ctx } = server
  const id = await connect('linkedin', 2)
  const at = new Date()
  await ctx.db.system
    .insertInto('webhook')
    .values({
      workspace_id: workspaceId,
      id: '0123456789abcdef01234567',
      url: 'https://receiver.example/',
      events: ['connection.expiring'],
      secret_sealed: Buffer.from('x'),
      secret_hint: '',
      active: true,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await announceExpiring(ctx)
  await ctx.db.system
    .transaction()
    .execute(async (tx) => planDeliveries(ctx, tx, (await takeEvents(tx, { from: 0, limit: 10 })).events))
  const [delivery] = await ctx.db.system
    .selectFrom('webhook_delivery')
    .where('workspace_id', '=', workspaceId)
    .selectAll()
    .execute()
  expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
    event: 'connection.expiring',
    data: { connectionId: id, status: 'expiring', reason: expect.any(String), expiresAt: expect.any(String) },
  })
})
