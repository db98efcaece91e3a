import type { Transport } from '@carillon/connectors'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { EgressError } from '../../../infra/egress/egress-error.ts'
import { serverWaitMs, watchServer } from './server-health.ts'

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
const call: Parameters<Transport>[0] = { method: 'POST', url: down, headers: {}, body: null, timeoutMs: 1000 }

async function callTimes(count: number, answer: number | Error): Promise<void> {
  const transport = watchServer(server.ctx, down, async () => {
    if (answer instanceof Error) throw answer
    return { status: answer, headers: {}, text: async () => '' }
  })
  for (let n = 0; n < count; n++) await transport(call).catch(() => {})
}
const waitMs = () => serverWaitMs(server.ctx, { platform: 'mastodon', instanceUrl: down })

test('a server is down after thirty calls in a row without a usable answer, and only that server', async () => {
  await callTimes(29, 503)
  expect(waitMs()).toBe(0)
  await callTimes(1, new EgressError('timeout', 'no answer', { sent: true }))
  expect(waitMs()).toBe(10_000)
  expect(serverWaitMs(server.ctx, { platform: 'mastodon', instanceUrl: 'https://up.example' })).toBe(0)
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
  expect(waitMs()).toBe(10_000)
  await callTimes(3, 503)
  expect(waitMs()).toBe(10_000)
  await callTimes(1, 200)
  expect([waitMs(), waitMs(), waitMs(), waitMs()]).toEqual([0, 0, 0, 0])
})

test('the longer it is down, the longer the waits, up to five minutes', async () => {
  await callTimes(30, 503)
  const afterMs = (ms: number) => {
    nowMs += ms
    return [waitMs(), waitMs(), waitMs(), waitMs()].at(-1)
  }
  expect(afterMs(60_000)).toBe(30_000)
  expect(afterMs(6 * 3_600_000)).toBe(300_000)
})
