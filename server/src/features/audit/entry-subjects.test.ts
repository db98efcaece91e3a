import type { AuditEntry } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { queueRoutes } from '../queues/queue.routes.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { auditRoutes } from './audit.routes.ts'

let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, api: [apiKeyRoutes, queueRoutes, auditRoutes] })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

/** Guarantee: the audit log says which queue and which key a change was about, also after it was deleted, and with which key it was made. */
test('entries about queues and keys have their ids', async () => {
  const { apiKey, workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'ada@example.com' })
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId }
  const send = async <Data>(method: 'DELETE' | 'GET' | 'PATCH' | 'POST', path: string, payload?: object): Promise<Data> => {
    const answer = await server.app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) })
    expect([path, answer.statusCode < 300]).toEqual([path, true])
    return answer.json<{ data: Data }>().data
  }
  const at = `/workspaces/${workspaceId}`
  const queue = await send<{ id: string }>('POST', '/queues', { name: 'Main' })
  // A queue can also be named by this word.
  await send('PATCH', '/queues/default', { name: 'Mornings' })
  await send('DELETE', `/queues/${queue.id}`)
  const key = await send<{ id: string }>('POST', `${at}/api-keys`, { label: 'nightly import' })
  await send('DELETE', `${at}/api-keys/${key.id}`)

  const { data } = await send<{ data: AuditEntry[] }>('GET', `${at}/audit`)
  expect(data.map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ['api_key.delete', key.id],
    ['api_key.create', key.id],
    ['queue.delete', queue.id],
    ['queue.update', queue.id],
    ['queue.create', queue.id],
  ])
  const [{ id: ownKey } = { id: '' }] = await send<{ id: string }[]>('GET', `${at}/api-keys`)
  expect(data.map(({ apiKeyId }) => apiKeyId)).toEqual(data.map(() => ownKey))
})
