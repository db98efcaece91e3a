import type { Transport } from '@carillon/connectors'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { EgressError } from '../../../infra/egress/egress-error.ts'
import { serverOf, serverQueueMs, serverWaitMs, takeServersBack, watchServer } from './server-health.ts'

/** Guarantee: a server that does not answer is called a few times in ten seconds, not by every post that is due. */
let database: TestDatabase
let server: TestServer
let nowMs = 1_000_000
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
beforeEach(async () => {
  await server?.close()
  server = openServer({ database, replace: { nowMs: () => nowMs } })
})
afterAll(async () => {
  await server.close()
  await database.stop()
})

const down = 'https://down.example'
const ref = { platform: 'mastodon', instanceUrl: down }
const call: Parameters<Transport>[0] = { method: 'POST', url: down, headers: {}, body: null, timeoutMs: 1000 }

async function callTimes(count: number, answer: number | Error): Promise<void> {
  const transport = watchServer(server.ctx, ref, async () => {
    if (answer instanceof Error) throw answer
    return { status: answer, headers: {}, text: async () => '' }
  })
  for (let n = 0; n < count; n++) await transport(call).catch(() => {})
}
const waitMs = () => serverWaitMs(server.ctx, ref, { isCalling: true })
/** Waits are varied by half. */
const isAbout = (waited: number | undefined, ms: number) => waited !== undefined && waited >= ms * 0.5 && waited <= ms * 1.5

test('a server is down after thirty calls in a row without a usable answer, and only that server', async () => {
  await callTimes(29, 503)
  expect(waitMs()).toBe(0)
  await callTimes(1, new EgressError('timeout', 'no answer', { sent: true }))
  expect(isAbout(waitMs(), 10_000)).toBe(true)
  expect(serverWaitMs(server.ctx, { platform: 'mastodon', instanceUrl: 'https://up.example' }, { isCalling: true })).toBe(0)
})

test('an answer that refuses the request is an answer, and one in between starts the count anew', async () => {
  await callTimes(29, 503)
  await callTimes(1, 429)
  await callTimes(29, 500)
  expect(waitMs()).toBe(0)
})

test('a request that we did not send says nothing about the server', async () => {
  await callTimes(40, new EgressError('withdrawn', 'too late', { sent: false }))
  await callTimes(40, new Error('a bug'))
  expect(waitMs()).toBe(0)
})

test('a few calls find out whether it is back, and the first answer opens it for all', async () => {
  await callTimes(30, 503)
  nowMs += 10_000
  expect([waitMs(), waitMs(), waitMs()]).toEqual([0, 0, 0])
  expect(isAbout(waitMs(), 10_000)).toBe(true)
  await callTimes(3, 503)
  expect(isAbout(waitMs(), 10_000)).toBe(true)
  expect(takeServersBack(server.ctx)).toEqual([])
  await callTimes(1, 200)
  expect([waitMs(), waitMs(), waitMs(), waitMs()]).toEqual([0, 0, 0, 0])
  expect(takeServersBack(server.ctx)).toEqual([ref])
  expect(takeServersBack(server.ctx)).toEqual([])
})

test('the longer it is down, the longer the waits, up to five minutes', async () => {
  await callTimes(30, 503)
  const afterMs = (ms: number) => {
    nowMs += ms
    return [waitMs(), waitMs(), waitMs(), waitMs()].at(-1)
  }
  expect(isAbout(afterMs(60_000), 30_000)).toBe(true)
  expect(isAbout(afterMs(6 * 3_600_000), 300_000)).toBe(true)
})

test('the more posts wait, the longer the waits: fifty return in a second, however many there are', async () => {
  await callTimes(30, 503)
  const queueMs = () => serverQueueMs(server.ctx, ref)
  expect(Array.from({ length: 9_000 }, queueMs).at(-1)).toBe(180_000)
  nowMs += 60_000
  expect(queueMs()).toBe(120_020)
  expect(Array.from({ length: 100_000 }, queueMs).at(-1)).toBe(1_800_000)
})

/** Guarantee: only the platforms that the operator names are called in their sandboxes, and the simulator comes before them. */
test('a platform is called in its sandbox if the operator says so', () => {
  const serverWith = (config: object, platform = 'pinterest') =>
    serverOf({ ...server.ctx, config: { ...server.ctx.config, ...config } }, { platform, instanceUrl: null })
  const sandboxes = ['pinterest', 'x']
  expect(serverWith({})).toBe('https://api.pinterest.com')
  expect(serverWith({ sandboxes })).toBe('https://api-sandbox.pinterest.com')
  expect(serverWith({ sandboxes }, 'x')).toBe('https://api.x.com')
  expect(serverWith({ sandboxes, platformOrigins: { pinterest: 'http://127.0.0.1:4010' } })).toBe('http://127.0.0.1:4010')
})
