import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { openSimulated } from './connect-simulated.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

test('a simulated platform that asks to slow down is a problem that passes, with its own words', async () => {
  const simulator = createServer((request, response) => {
    const isOpening = request.url === '/_control/accounts'
    response.writeHead(isOpening ? 200 : 429, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isOpening ? { credentials: { accessToken: 't' } } : { title: 'Too Many Requests', status: 429 }))
  })
  simulator.listen(0, '127.0.0.1')
  await once(simulator, 'listening')
  const x = `http://127.0.0.1:${(simulator.address() as AddressInfo).port}/x`
  const env = { CARILLON_PLATFORM_ORIGINS: JSON.stringify({ x }), CARILLON_EGRESS_ALLOW: '127.0.0.0/8' }
  const server = openServer({ database, env })
  const { workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'tower@example.com' })
  const opening = openSimulated(server.ctx, workspaceId)
  await expect(opening).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('X') })
  await server.close()
  simulator.close()
})

/** Guarantee: where only pages can be posted to, the account of the person who signs in is never offered. */
test('a sign-in that is for pages only is connected to the first one, and has all of them to choose from', async () => {
  const pages = ['Tower', 'Shop'].map((name, at) => ({
    id: `90${at}`,
    name,
    access_token: `token of ${name}`,
    tasks: ['CREATE_CONTENT'],
  }))
  let isManager = true
  const simulator = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://simulator').pathname
    const answers: Record<string, unknown> = {
      '/_control/accounts': { credentials: { accessToken: 't' } },
      '/facebook/v26.0/me': { id: '17' },
      '/facebook/v26.0/me/accounts': { data: isManager ? pages : [] },
    }
    response.writeHead(path in answers ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers[path] ?? {}))
  })
  simulator.listen(0, '127.0.0.1')
  await once(simulator, 'listening')
  const facebook = `http://127.0.0.1:${(simulator.address() as AddressInfo).port}/facebook`
  const env = { CARILLON_PLATFORM_ORIGINS: JSON.stringify({ facebook }), CARILLON_EGRESS_ALLOW: '127.0.0.0/8' }
  const server = openServer({ database, env })
  const { workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Pages', email: 'pages@example.com' })
  const [opened] = await openSimulated(server.ctx, workspaceId)
  expect(opened).toMatchObject({
    account: { id: '900', displayName: 'Tower', appUserId: '17' },
    accountIds: ['900', '901'],
    targets: [
      { id: '900', name: 'Tower', kind: 'page' },
      { id: '901', name: 'Shop', kind: 'page' },
    ],
  })
  isManager = false
  await expect(openSimulated(server.ctx, workspaceId)).rejects.toMatchObject({ code: 'connect_refused' })
  await server.close()
  simulator.close()
})

/** Guarantee: an app that is approved for more permissions connects the same account as before, where one sign-in covers one account. */
test('an app that is approved for more than pages connects the account', async () => {
  const user = { open_id: '7', username: 'tower', display_name: 'Tower' }
  const data = { user, privacy_level_options: [] }
  const simulator = createServer((request, response) => {
    const isOpening = request.url === '/_control/accounts'
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isOpening ? { credentials: { accessToken: 't' } } : { data, error: { code: 'ok' } }))
  })
  simulator.listen(0, '127.0.0.1')
  await once(simulator, 'listening')
  const tiktok = `http://127.0.0.1:${(simulator.address() as AddressInfo).port}/tiktok`
  const env = {
    CARILLON_PLATFORM_ORIGINS: JSON.stringify({ tiktok }),
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
    CARILLON_VETTED_APPS: 'tiktok',
  }
  const server = openServer({ database, env })
  const { workspaceId } = await setUpWorkspace(server.ctx, { workspace: 'Inbox', email: 'inbox@example.com' })
  const [opened] = await openSimulated(server.ctx, workspaceId)
  expect(opened).toMatchObject({ account: { id: '7', handle: 'tower' }, targets: null })
  await server.close()
  simulator.close()
})
