import type { ChannelState } from '@carillon/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { WaitingReason } from '../../infra/db/tables.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { linkAccount } from '../connections/connect/link-account.ts'
import { connectionRoutes } from '../connections/connection.routes.ts'
import { findAnyConnection } from '../connections/connection.store.ts'
import type { ConnectionHooks } from '../connections/disconnect.ts'
import { sweepDisconnected } from '../connections/sweep-disconnected.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { wakeWaitingChannels } from './post.store.ts'
import { stopChannels } from './stop-channels.ts'
import { updatePostStatuses } from './update-post-statuses.ts'

const minuteMs = 60_000
const hooks: ConnectionHooks = {
  beforeRemoval: stopChannels,
  afterReconnect: (tx, connection) => wakeWaitingChannels(tx, connection.workspaceId, connection.id),
}

let database: TestDatabase
let server: TestServer
let workspaceId: string
let apiKey: string

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, api: [connectionRoutes(hooks)] })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

beforeEach(async () => {
  const made = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  workspaceId = made.workspaceId
  apiKey = made.apiKey
})

async function connect(handle: string): Promise<{ id: string; slug: string }> {
  const account = { platform: 'mastodon' as const, handle, accountId: handle, instanceUrl: 'https://social.example' }
  const [connection] = await addConnections(server.ctx, workspaceId, [{ ...account, credentials: { accessToken: 't' } }])
  if (!connection) throw new Error('no connection was added')
  return connection
}

type NewChannel = { connectionId: string; state: ChannelState; waiting?: WaitingReason; dueInMs?: number }

async function insertPost(channels: readonly NewChannel[]): Promise<{ id: string; channelIds: string[] }> {
  const nowMs = server.ctx.nowMs()
  const now = new Date(nowMs)
  const id = newId(nowMs)
  const rows = channels.map(({ connectionId, state, waiting, dueInMs = 0 }, position) => ({
    workspace_id: workspaceId,
    id: newId(nowMs),
    post_id: id,
    position,
    connection_id: connectionId,
    connection_slug: 'mastodon-tower',
    target_name: 'Tower',
    platform: 'mastodon',
    state,
    due_at: new Date(nowMs + dueInMs),
    dispatch_at: new Date(nowMs + 60 * minuteMs),
    not_before: new Date(nowMs + 62 * minuteMs),
    waiting_reason: waiting ?? null,
    needs_stage: false,
    warnings: '[]',
  }))
  await server.ctx.db.tenant(workspaceId, async (tx) => {
    const fixed = { workspace_id: workspaceId, id, request_id: newUuid(), platform_options: '{}', warnings: '[]' }
    await tx
      .insertInto('post')
      .values({ ...fixed, status: 'publishing', type: 'text', text: 'Hello', created_at: now, updated_at: now })
      .execute()
    await tx.insertInto('channel').values(rows).execute()
  })
  return { id, channelIds: rows.map((row) => row.id) }
}

async function call(method: 'GET' | 'DELETE' | 'POST', path = ''): Promise<{ status: number; data: unknown }> {
  const response = await server.app.inject({
    method,
    url: `/api/workspaces/${workspaceId}/connections${path}`,
    headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId },
  })
  return { status: response.statusCode, data: response.json<{ data?: unknown }>().data }
}

const disconnect = async (id: string) => (await call('DELETE', `/${id}`)).status
const findRow = (id: string) => findAnyConnection(server.ctx.db.system, { workspaceId, id })

async function findPost(id: string) {
  const posts = server.ctx.db.system.selectFrom('post').where('workspace_id', '=', workspaceId).where('id', '=', id)
  const channels = server.ctx.db.system.selectFrom('channel').where('workspace_id', '=', workspaceId).where('post_id', '=', id)
  const { status } = await posts.select('status').executeTakeFirstOrThrow()
  return { status, channels: await channels.selectAll().orderBy('position').execute() }
}

/** The end of a channel as `settle` writes it, held open until `commit` is called. */
async function settleSlowly(postId: string, channelId: string): Promise<{ commit(): void; done: Promise<void> }> {
  const settled = Promise.withResolvers<void>()
  const { promise: isCommitted, resolve: commit } = Promise.withResolvers<void>()
  const done = server.ctx.db.system.transaction().execute(async (tx) => {
    await tx
      .selectFrom('post')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', postId)
      .select('id')
      .forUpdate()
      .execute()
    const rows = await tx
      .updateTable('channel')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', channelId)
      .set({ state: 'published', published_at: new Date(), finished_at: new Date() })
      .returning(['workspace_id', 'id', 'post_id', 'state', 'generation', 'connection_id'])
      .execute()
    await updatePostStatuses(tx, rows, Date.now())
    settled.resolve()
    await isCommitted
  })
  await settled.promise
  return { commit, done }
}

/** Guarantee: of two transactions that finish the last two channels of a post, one finishes the post. */
test('a channel that is settled while another one is disconnected leaves the post finished', async () => {
  const [kept, removed] = [await connect('kept'), await connect('removed')]
  const post = await insertPost([
    { connectionId: kept.id, state: 'submitting' },
    { connectionId: removed.id, state: 'scheduled' },
  ])
  const settling = await settleSlowly(post.id, post.channelIds[0] ?? '')
  const disconnecting = disconnect(removed.id)
  const first = await Promise.race([disconnecting, new Promise((resolve) => setTimeout(resolve, 500, 'waits'))])
  settling.commit()
  await settling.done
  expect(await disconnecting).toBe(200)
  const { status, channels } = await findPost(post.id)
  expect(channels.map(({ state }) => state)).toEqual(['published', 'canceled'])
  expect(status).not.toBe('publishing')
  expect(first).toBe('waits')
})

/** Guarantee: what is being sent while its account is disconnected can still be looked up on the platform. */
test('a disconnected account is gone for clients, and its credentials stay while a channel is in flight', async () => {
  const connection = await connect('tower')
  const post = await insertPost([{ connectionId: connection.id, state: 'confirming' }])
  expect(await disconnect(connection.id)).toBe(200)
  expect(await call('GET')).toEqual({ status: 200, data: [] })
  expect(await disconnect(connection.id)).toBe(404)
  expect((await call('POST', `/${connection.id}/revoke`)).status).toBe(404)

  await sweepDisconnected(server.ctx)
  expect(await findRow(connection.id)).toMatchObject({ status: 'disconnected' })
  const next = await connect('tower')
  expect(next.slug).toBe(connection.slug)

  await server.ctx.db.system
    .updateTable('channel')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', post.channelIds[0] ?? '')
    .set({ state: 'published', finished_at: new Date() })
    .execute()
  await sweepDisconnected(server.ctx)
  expect(await findRow(connection.id)).toBeUndefined()
  expect(await findRow(next.id)).toMatchObject({ status: 'active' })
})

test('credentials of a disconnected account are deleted after 48 hours, whatever is in flight', async () => {
  const connection = await connect('tower')
  await insertPost([{ connectionId: connection.id, state: 'submitting' }])
  await disconnect(connection.id)
  const setAge = (hours: number) =>
    server.ctx.db.system
      .updateTable('connection')
      .where('workspace_id', '=', workspaceId)
      .set({ disconnected_at: new Date(Date.now() - hours * 60 * minuteMs) })
      .execute()
  await setAge(47)
  await sweepDisconnected(server.ctx)
  expect(await findRow(connection.id)).toBeDefined()
  await setAge(49)
  await sweepDisconnected(server.ctx)
  expect(await findRow(connection.id)).toBeUndefined()
})

test('revoking deletes the credentials at once', async () => {
  const connection = await connect('tower')
  const post = await insertPost([
    { connectionId: connection.id, state: 'submitting' },
    { connectionId: connection.id, state: 'dispatched' },
  ])
  expect((await call('POST', `/${connection.id}/revoke`)).status).toBe(200)
  expect(await findRow(connection.id)).toBeUndefined()
  expect((await findPost(post.id)).channels.map(({ state }) => state)).toEqual(['submitting', 'canceled'])
})

async function reconnect(id: string, handle: string): Promise<void> {
  const { ctx } = server
  const account = { id: handle, handle, displayName: handle, avatarUrl: null }
  const verified = { connector: ctx.connectors.mastodon, account, accountIds: [handle], targets: null }
  await ctx.db.tenant(workspaceId, (tx) =>
    linkAccount(
      ctx,
      tx,
      { workspaceId, connectionId: id, hooks },
      { ...verified, instanceUrl: 'https://social.example', credentials: { accessToken: 'new' } },
    ),
  )
}

/** Guarantee: posts that waited for an account to be reconnected are sent as soon as it is, and never before their time. */
test('reconnecting makes the channels due that waited for it, and no others', async () => {
  const [connection, other] = [await connect('tower'), await connect('other')]
  const post = await insertPost([
    { connectionId: connection.id, state: 'scheduled', waiting: 'reconnect', dueInMs: -minuteMs },
    { connectionId: connection.id, state: 'scheduled', waiting: 'reconnect', dueInMs: minuteMs },
    { connectionId: connection.id, state: 'scheduled', waiting: 'rate_limit' },
    { connectionId: connection.id, state: 'failed', waiting: 'reconnect' },
    { connectionId: other.id, state: 'scheduled', waiting: 'reconnect' },
  ])
  await reconnect(connection.id, 'tower')
  const { channels } = await findPost(post.id)
  expect(channels.map(({ generation, not_before, waiting_reason }) => [generation, not_before === null, waiting_reason])).toEqual(
    [
      [1, true, null],
      [1, true, null],
      [0, false, 'rate_limit'],
      [0, false, 'reconnect'],
      [0, false, 'reconnect'],
    ],
  )
  expect(Math.abs((channels[0]?.dispatch_at?.getTime() ?? 0) - Date.now())).toBeLessThan(minuteMs / 2)
  expect(channels[1]?.dispatch_at).toEqual(channels[1]?.due_at)
})
