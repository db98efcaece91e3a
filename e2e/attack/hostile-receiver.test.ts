import type { Delivery, Webhook } from '@carillon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress } from '../support/browser.ts'
import { callData, type CallOptions } from '../support/call.ts'
import { writeEndlessly, writeSlowly } from '../support/hostile/endless-body.ts'
import { createPerson } from '../support/server-env.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import { testStack } from '../test-stack.ts'

/** Guarantee: whatever a receiver of webhooks answers, events of other tenants arrive, and no other address is called. */

const receiver = useWebhookReceiver()
type Person = { workspaceId: string; apiKey: string }
let attacker: Person
let victim: Person
beforeAll(async () => {
  attacker = await createPerson(newAddress('receiver'))
  victim = await createPerson(newAddress('receiver-victim'))
}, 60_000)

const send = <T>({ workspaceId, apiKey }: Person, route: string, options: CallOptions = {}) =>
  callData<T>(route, { key: apiKey, workspace: workspaceId, ...options })

const hooks: [Person, string][] = []
async function newHook(person: Person, path: string): Promise<string> {
  const body = { url: receiver.url(path), events: ['connection.needs_reconnect'] }
  const { id } = await send<Webhook>(person, 'POST /webhooks', { body })
  hooks.push([person, id])
  return id
}
afterAll(() => Promise.all(hooks.map(([person, id]) => send(person, `DELETE /webhooks/${id}`))))

const sendTest = async (person: Person, id: string) => (await send<Delivery>(person, `POST /webhooks/${id}/test`)).id

const hostile = {
  '/endless': { status: 200, write: writeEndlessly },
  '/slow': { status: 200, write: writeSlowly },
  '/redirect': { status: 307, headers: { location: receiver.url('/canary') } },
  '/redirect-inside': { status: 302, headers: { location: 'http://127.0.0.1:5432/' } },
  '/cut': { status: 200, write: (response: { destroy(): unknown }) => void response.destroy() },
  '/unreadable': { status: 500, body: '\u0000\ud83d'.repeat(100_000) },
  '/compressed': { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'this is not gzip' },
  '/cookies': { status: 200, headers: { 'set-cookie': 'a=b' } },
}

test('events of another tenant arrive soon, and the service answers', async () => {
  const own = await newHook(victim, '/victim')
  for (const [path, reply] of Object.entries(hostile)) {
    receiver.setReply(path, () => reply)
    const id = await newHook(attacker, path)
    for (let n = 0; n < 10; n++) await sendTest(attacker, id)
  }
  await receiver.waitFor('/endless', () => true, 30_000)
  const tookMs: number[] = []
  for (let n = 0; n < 20; n++) {
    const begin = Date.now()
    const id = await sendTest(victim, own)
    const { atMs } = await receiver.waitFor('/victim', (body) => body.includes(id), 30_000)
    tookMs.push(atMs - begin)
  }
  console.log(`longest delivery to the other tenant: ${Math.max(...tookMs)} ms`)
  expect(Math.max(...tookMs)).toBeLessThan(5_000)
  // Every attempt has an end that its owner can read.
  for (const [person, id] of hooks.filter(([each]) => each === attacker)) {
    await expect
      .poll(
        async () => (await send<Delivery[]>(person, `GET /webhooks/${id}/deliveries`)).every(({ attempts }) => attempts > 0),
        {
          timeout: 60_000,
          interval: 1_000,
        },
      )
      .toBe(true)
  }
  expect(receiver.received('/canary')).toEqual([])
  expect(receiver.received('/cookies').every(({ headers }) => headers['cookie'] === undefined)).toBe(true)
  expect((await fetch(new URL('/health/ready', testStack.baseUrl))).status).toBe(200)
})
