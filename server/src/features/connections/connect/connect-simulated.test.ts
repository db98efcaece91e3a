import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { setUpWorkspace } from '../../workspaces/set-up-workspace.ts'
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
