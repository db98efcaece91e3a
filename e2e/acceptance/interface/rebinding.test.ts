import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delivery, Webhook } from '@carillon/sdk'
import { upStack, type Stack } from '@carillon/stack'
import { afterAll, beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call, callData, type CallOptions } from '../../support/call.ts'

/** A host name whose owner changes its address over time. */
const name = 'rebinding.example'
/** A port that webhooks may use. The loopback addresses below are used by nothing else. */
const port = 8443
const inside = '127.77.0.2'
const allowed = '127.77.0.1'

let stack: Stack
let dir: string
const connectedAddresses: string[] = []
const servers: Server[] = []
const resolveTo = (to: string) => writeFileSync(join(dir, 'hosts.json'), JSON.stringify({ [name]: to }))
const options = (): CallOptions => {
  const { baseUrl, apiKey, workspaceId } = stack.info
  return { baseUrl, key: apiKey, workspace: workspaceId }
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-names-'))
  resolveTo('203.0.113.7')
  for (const address of [inside, allowed]) {
    const server = createServer((socket) => {
      connectedAddresses.push(address)
      socket.destroy()
    })
    server.listen(port, address)
    await once(server, 'listening')
    servers.push(server)
  }
  stack = await upStack({
    name: 'e2e-rebinding',
    fsync: false,
    env: {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, '../../support/fake-name-server.ts')}`,
      E2E_HOSTS_FILE: join(dir, 'hosts.json'),
      CARILLON_EGRESS_ALLOW: `127.0.0.1/32,${allowed}/32`,
    },
  })
}, 120_000)
afterAll(async () => {
  await stack.stop()
  for (const server of servers) server.close()
  await rm(dir, { recursive: true, force: true })
})

/** Sends a test event and returns its entry in the log after the first attempt. */
async function sendTestEvent(webhookId: string): Promise<Delivery> {
  const { id } = await callData<Delivery>(`POST /webhooks/${webhookId}/test`, options())
  const entry = async () =>
    (await callData<Delivery[]>(`GET /webhooks/${webhookId}/deliveries`, options())).find((each) => each.id === id)
  await expect.poll(async () => (await entry())?.attempts, { timeout: 15_000 }).toBe(1)
  const found = await entry()
  if (!found) throw new Error('the delivery is not in the log')
  return found
}

row('D 11 at each send', async () => {
  resolveTo('93.184.216.34')
  const body = { url: `https://${name}:${port}/hook`, events: ['upload.failed'] }
  const { id } = await callData<Webhook>('POST /webhooks', { ...options(), body })

  resolveTo(inside)
  const refused = await sendTestEvent(id)
  expect(refused).toMatchObject({ status: 'pending', statusCode: 0, responseBody: 'The host is not on the public internet.' })
  expect(connectedAddresses).toEqual([])
  const again = await call('POST /webhooks', { ...options(), body })
  expect([again.status, again.error.code]).toEqual([422, 'url_refused'])

  // The same name is called when it resolves to an allowed network: only the address was the reason for the refusal.
  resolveTo(allowed)
  await sendTestEvent(id)
  expect(connectedAddresses).toEqual([allowed])
})
