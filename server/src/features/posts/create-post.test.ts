import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginsOf } from '../../../test/logins.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { startProxy, type TestProxy } from '../../../test/start-proxy.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { testAccount } from './post-api.fixture.ts'
import { postRoutes } from './post.routes.ts'

let database: TestDatabase
let proxy: TestProxy
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  proxy = await startProxy(loginsOf(database.url).carillon_app.url)
  server = openServer({ database, env: { CARILLON_DATABASE_APP_URL: proxy.url }, api: [postRoutes] })
}, 60_000)
afterAll(async () => {
  await server.close()
  await proxy.stop()
  await database.stop()
})

/**
 * Guarantee: a post is accepted with few waits for the database. Posts of a workspace share rows that count them, and each wait with such a row
 * locked is a wait for the others too.
 */
test('accepting a post with an Idempotency-Key waits five times for the database, the commit included', async () => {
  const { workspaceId, apiKey } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const [account] = await addConnections(server.ctx, workspaceId, [{ ...testAccount, handle: 'first', accountId: '1' }])
  const create = async () => {
    const before = proxy.turns()
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/content/text',
      headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId, 'idempotency-key': newUuid() },
      payload: { connections: [account?.slug], text: 'A post.', scheduledAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
    expect([answer.statusCode, answer.body]).toEqual([201, expect.anything()])
    return proxy.turns() - before
  }
  // The first opens the connection.
  await create()
  expect(await create()).toBeLessThanOrEqual(5)
})
