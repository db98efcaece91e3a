import { connectors, PlatformError, type Connector } from '@carillon/connectors'
import type { ChannelState } from '@carillon/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { postRoutes } from './post.routes.ts'

/** The size of the tenant pool in create-context.ts. */
const tenantConnections = 20

type Tenant = { workspaceId: string; apiKey: string; connectionId: string }
type Removal = { id: string; connection: string; outcome: string; message: string | null }
type Body = { data: { channels: Removal[] } | null; error?: { code: string } }

let database: TestDatabase
let server: TestServer
let tenant: Tenant
let other: Tenant
let calls: string[]
let remove: (postId: string) => Promise<void>

beforeAll(async () => {
  database = await startDatabase()
  const mastodon: Connector = {
    ...connectors.mastodon,
    async remove(_client, postId) {
      calls.push(postId)
      await remove(postId)
    },
  }
  server = openServer({ database, replace: { connectors: { ...connectors, mastodon } }, api: [postRoutes] })
  tenant = await openTenant('Tower')
  other = await openTenant('Other')
}, 60_000)

beforeEach(() => {
  calls = []
  remove = () => Promise.resolve()
})

afterAll(async () => {
  await server.close()
  await database.stop()
})

async function openTenant(workspace: string): Promise<Tenant> {
  const { workspaceId, apiKey } = await setUpWorkspace(server.ctx, { workspace, email: `${newUuid()}@example.com` })
  const account = { platform: 'mastodon' as const, handle: 'tower', accountId: '1', instanceUrl: 'https://social.example' }
  const [connection] = await addConnections(server.ctx, workspaceId, [{ ...account, credentials: { accessToken: 't' } }])
  return { workspaceId, apiKey, connectionId: connection?.id ?? '' }
}

type NewChannel = { state: ChannelState; platformPostId: string | null; connectionId?: string }

async function insertPost(channels: readonly NewChannel[]): Promise<{ id: string; channelIds: string[] }> {
  const { workspaceId, connectionId } = tenant
  const { ctx } = server
  const now = new Date(ctx.nowMs())
  const id = newId(ctx.nowMs())
  const rows = channels.map((channel, position) => ({
    workspace_id: workspaceId,
    id: newId(ctx.nowMs()),
    post_id: id,
    position,
    connection_id: channel.connectionId ?? connectionId,
    connection_slug: 'mastodon-tower',
    target_name: 'Tower',
    platform: 'mastodon',
    state: channel.state,
    needs_stage: false,
    platform_post_id: channel.platformPostId,
    finished_at: channel.state === 'published' ? now : null,
    warnings: '[]',
  }))
  await ctx.db.tenant(workspaceId, async (tx) => {
    const fixed = { workspace_id: workspaceId, id, request_id: newUuid(), platform_options: '{}', warnings: '[]' }
    await tx
      .insertInto('post')
      .values({ ...fixed, status: 'completed', type: 'text', text: 'Hello', created_at: now, updated_at: now })
      .execute()
    await tx.insertInto('channel').values(rows).execute()
  })
  return { id, channelIds: rows.map((row) => row.id) }
}

const published = (platformPostId: string): NewChannel => ({ state: 'published', platformPostId })

async function send(method: 'GET' | 'POST' | 'DELETE', url: string, options: { as?: Tenant; body?: object } = {}) {
  const { workspaceId, apiKey } = options.as ?? tenant
  const response = await server.app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId },
    ...(options.body && { payload: options.body }),
  })
  return { status: response.statusCode, ...response.json<Body>() }
}

const removeEverywhere = (id: string) => send('DELETE', `/content/${id}?unpublish=true`)
const outcomes = ({ data }: Body) => data?.channels.map(({ outcome }) => outcome)

/** Lets no call of the platform return before `answer` is called. */
function blockPlatform(): { answer(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  remove = () => promise
  return { answer: resolve }
}

/** Guarantee: a slow platform never occupies the database connections that other workspaces need. */
test('other workspaces are served while a slow platform is asked to remove posts', async () => {
  const platform = blockPlatform()
  const posts: string[] = []
  for (let n = 0; n < tenantConnections; n++) posts.push((await insertPost([published(`slow-${n}`)])).id)
  const deletes = posts.map(removeEverywhere)
  try {
    await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(tenantConnections)
    const timeout = new Promise<'timeout'>((resolve) => setTimeout(resolve, 3000, 'timeout'))
    const answer = await Promise.race([send('GET', '/content', { as: other }), timeout])
    expect(answer).toMatchObject({ status: 200 })
  } finally {
    platform.answer()
    await Promise.allSettled(deletes)
  }
  for (const answer of await Promise.all(deletes)) expect([answer.status, outcomes(answer)]).toEqual([200, ['removed']])
  for (const id of posts) expect((await send('GET', `/content/${id}`)).status).toBe(404)
}, 60_000)

/** Guarantee: the answer tells for every channel whether its post is still on the platform. */
describe('the answer', () => {
  test('has the outcome of each channel', async () => {
    remove = (postId) =>
      postId === 'b'
        ? Promise.reject(new PlatformError({ kind: 'rejected', platformCode: null, message: 'It is pinned.' }))
        : Promise.resolve()
    const { id, channelIds } = await insertPost([
      published('a'),
      published('b'),
      { state: 'failed', platformPostId: null },
      { ...published('c'), connectionId: newId(0) },
    ])
    const answer = await removeEverywhere(id)
    expect(answer.data?.channels).toEqual([
      { id: channelIds[0], connection: 'mastodon-tower', outcome: 'removed', message: null },
      { id: channelIds[1], connection: 'mastodon-tower', outcome: 'failed', message: 'It is pinned.' },
      { id: channelIds[2], connection: 'mastodon-tower', outcome: 'not_published', message: expect.any(String) },
      { id: channelIds[3], connection: 'mastodon-tower', outcome: 'failed', message: 'The connection is no longer there.' },
    ])
    expect(calls.toSorted()).toEqual(['a', 'b'])
    expect((await send('GET', `/content/${id}`)).status).toBe(404)
  })

  test('is null without unpublish, and the platform is not called', async () => {
    const { id } = await insertPost([published('a')])
    expect(await send('DELETE', `/content/${id}`)).toMatchObject({ status: 200, data: null })
    const { id: second } = await insertPost([published('b')])
    expect(await send('POST', '/content/bulk-delete', { body: { ids: [second] } })).toMatchObject({ data: { succeeded: 1 } })
    expect(calls).toEqual([])
  })

  test('is post_not_found for an unknown post and for one of another workspace', async () => {
    const { id } = await insertPost([published('a')])
    expect((await removeEverywhere(newId(0))).error?.code).toBe('post_not_found')
    expect((await send('DELETE', `/content/${id}?unpublish=true`, { as: other })).error?.code).toBe('post_not_found')
    expect(calls).toEqual([])
  })
})

describe('a post that changes while the platform is called', () => {
  test('is answered with post_not_found if it was deleted', async () => {
    const platform = blockPlatform()
    const { id } = await insertPost([published('a')])
    const first = removeEverywhere(id)
    await expect.poll(() => calls).toEqual(['a'])
    expect((await send('DELETE', `/content/${id}`)).status).toBe(200)
    platform.answer()
    expect((await first).error?.code).toBe('post_not_found')
  })

  test('reports a channel that was published in the meantime as failed, with its address', async () => {
    const platform = blockPlatform()
    const { id, channelIds } = await insertPost([published('a'), { state: 'submitting', platformPostId: null }])
    const answer = removeEverywhere(id)
    await expect.poll(() => calls).toEqual(['a'])
    const change = { state: 'published', platform_post_id: 'late', post_url: 'https://social.example/late' } as const
    await server.ctx.db.tenant(tenant.workspaceId, (tx) =>
      tx
        .updateTable('channel')
        .where('workspace_id', '=', tenant.workspaceId)
        .where('id', '=', channelIds[1] ?? '')
        .set(change)
        .execute(),
    )
    platform.answer()
    const { data } = await answer
    expect(data?.channels.map(({ outcome }) => outcome)).toEqual(['removed', 'failed'])
    expect(data?.channels[1]?.message).toContain('https://social.example/late')
    expect(calls).toEqual(['a'])
  })
})
