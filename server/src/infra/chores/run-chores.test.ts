import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRestate } from '@carillon/stack/services'
import { createEndpointHandler } from '@restatedev/restate-sdk'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { createDeploymentRemover, listDeployments, registerWorker } from '../engine/deployments.ts'
import { openIngress } from '../engine/ingress.ts'
import { listChores } from './chore.store.ts'
import { choreWorkflows } from './chore.workflow.ts'
import { type Chore, type ChoreRunner, createChores } from './run-chores.ts'

let database: TestDatabase
let server: TestServer
let dir: string
let engine: Awaited<ReturnType<typeof startRestate>>
let ingress: ReturnType<typeof openIngress>
const stops: (() => Promise<unknown> | void)[] = []

const openEngine = async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-chores-'))
  engine = await startRestate({ dir, partitions: 1 })
  ingress = openIngress(engine.ingressUrl)
}
const closeEngine = async () => {
  await ingress.close()
  await engine.stop()
  await rm(dir, { recursive: true, force: true })
}

beforeAll(async () => {
  database = await startDatabase()
  await openEngine()
  server = openServer({
    database,
    replace: {
      engine: {
        wakeWorkers: () => {},
        send: (job, key) => ingress.send(job, key),
        waitFor: async () => {},
      },
    },
  })
}, 120_000)
afterAll(async () => {
  await server.close()
  await closeEngine()
  await database.stop()
}, 60_000)
beforeEach(async () => {
  await sql`delete from chore`.execute(server.ctx.db.system)
  return async () => {
    for (const stop of stops.splice(0)) await stop()
  }
})

/** Several workers with the same chores, behind the one address that the engine knows. */
async function startWorkers(...runners: readonly ChoreRunner[]): Promise<{ url: string; close(): Promise<void> }> {
  const handlers = runners.map((runner) => createEndpointHandler({ services: [...choreWorkflows(runner)], logger: () => {} }))
  let calls = 0
  const endpoint: Http2Server = createServer((request, response) => handlers[calls++ % handlers.length]?.(request, response))
  const sessions = new Set<{ destroy(): void }>()
  endpoint.on('session', (session) => sessions.add(session))
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
  await registerWorker({ adminUrl: engine.adminUrl, workerUrl: url })
  const close = async () => {
    endpoint.close()
    for (const session of sessions) session.destroy()
  }
  stops.push(...runners.map((runner) => () => runner.stop()), close)
  return { url, close }
}

let count = 0
/** A name of its own for each test: the engine keeps its timers. */
const nameOf = (subject: string) => `${subject} ${++count}`
const chore = (name: string, work: () => Promise<boolean>, more: Partial<Chore> = {}): Chore => ({
  name,
  everyMs: 1_000,
  deadlineMs: 2_000,
  work,
  ...more,
})

/** Guarantee: a chore runs once in each interval, however many workers there are and however often they start its timer. */
test('two workers that start a timer several times make one pass in each interval', async () => {
  const name = nameOf('counted')
  const beganAtMs: number[] = []
  const work = async () => {
    beganAtMs.push(performance.now())
    return false
  }
  const runners = [1, 2].map(() => createChores(server.ctx, [chore(name, work)]))
  await startWorkers(...runners)
  await Promise.all(runners.flatMap((runner) => [runner.start(), runner.start(), runner.start()]))
  await expect.poll(() => beganAtMs.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(4)
  for (const runner of runners) await runner.start()
  await expect.poll(() => beganAtMs.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(6)
  const gaps = beganAtMs.slice(1).map((ms, at) => ms - (beganAtMs[at] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(900)
  const [status] = await listChores(server.ctx.db.system)
  expect(status).toMatchObject({ name, everyMs: 1_000, deadlineMs: 2_000, outcome: 'done', failedPasses: 0 })
}, 40_000)

test('a pass that reports more is followed by another at once', async () => {
  const name = nameOf('more')
  let passes = 0
  const runner = createChores(server.ctx, [chore(name, async () => ++passes < 3, { everyMs: 600_000 })])
  await startWorkers(runner)
  await runner.start()
  await expect.poll(() => passes, { timeout: 15_000 }).toBe(3)
  const [status] = await listChores(server.ctx.db.system)
  expect(status?.outcome).toBe('done')
}, 30_000)

/** Guarantee: a chore that fails is counted and runs again at its next time, neither never nor in a tight loop. */
test('a chore that throws fails once in each interval, and another chore beside it goes on', async () => {
  const [failing, other] = [nameOf('failing'), nameOf('other')]
  let [failures, passes] = [0, 0]
  const runner = createChores(server.ctx, [
    chore(failing, () => {
      failures++
      throw new Error('no')
    }),
    chore(other, async () => ++passes < 0),
  ])
  await startWorkers(runner)
  const beganAtMs = performance.now()
  await runner.start()
  await expect.poll(() => failures, { timeout: 15_000 }).toBeGreaterThanOrEqual(3)
  expect(failures).toBeLessThanOrEqual((performance.now() - beganAtMs) / 1_000 + 1)
  expect(passes).toBeGreaterThan(0)
  const find = async () => (await listChores(server.ctx.db.system)).find(({ name }) => name === failing)
  await expect.poll(async () => (await find())?.failedPasses).toBeGreaterThanOrEqual(3)
  expect((await find())?.outcome).toBe('failed')
}, 30_000)

/** Guarantee: a pass without an end neither stops its chore nor delays the end of the process. */
test('a pass that hangs is abandoned at its deadline, and the next one comes', async () => {
  const name = nameOf('hanging')
  let passes = 0
  const hang = () => (++passes === 1 ? new Promise<boolean>(() => {}) : Promise.resolve(false))
  const runner = createChores(server.ctx, [chore(name, hang, { deadlineMs: 300 })])
  await startWorkers(runner)
  await runner.start()
  await expect.poll(() => passes, { timeout: 15_000 }).toBeGreaterThanOrEqual(3)
  await expect.poll(async () => (await listChores(server.ctx.db.system))[0]).toMatchObject({ outcome: 'done', failedPasses: 1 })
  const stopAtMs = performance.now()
  await runner.stop()
  expect(performance.now() - stopAtMs).toBeLessThan(1_000)
}, 30_000)

/** Guarantee: a worker that stops frees the engine at once, and the next pass is made by another one. */
test('a slow pass does not hold the run of a worker that stops', async () => {
  const name = nameOf('slow')
  const released = Promise.withResolvers<boolean>()
  const slow = createChores(server.ctx, [chore(name, () => released.promise, { deadlineMs: 60_000 })])
  const begun = slow.pass(name)
  let isStopped = false
  const stopped = slow.stop().then(() => (isStopped = true))
  expect(await begun).toBe(2_000)
  // What has begun may end, like a pass of a loop.
  expect(isStopped).toBe(false)
  released.resolve(false)
  await stopped
  let passes = 0
  const next = createChores(server.ctx, [chore(name, async () => ++passes < 0)])
  await startWorkers(next)
  await next.start()
  await expect.poll(() => passes, { timeout: 15_000 }).toBeGreaterThan(0)
}, 30_000)

/** Guarantee: a timer outlives the release that started it, and does not hold that release in the engine. */
test('the next pass is made by the newest release, and the drained one is removed', async () => {
  const name = nameOf('released')
  const passes = { old: 0, new: 0 }
  const old = createChores(server.ctx, [chore(name, async () => ++passes.old < 0)])
  const before = await startWorkers(old)
  await old.start()
  await expect.poll(() => passes.old, { timeout: 15_000 }).toBeGreaterThan(0)
  const current = createChores(server.ctx, [chore(name, async () => ++passes.new < 0)])
  const after = await startWorkers(current)
  await current.start()
  await expect.poll(() => passes.new, { timeout: 15_000 }).toBeGreaterThan(1)
  const byOld = passes.old
  const remove = createDeploymentRemover({ adminUrl: engine.adminUrl, workerUrl: after.url })
  await expect.poll(async () => (await remove()).includes(before.url), { timeout: 15_000, interval: 200 }).toBe(true)
  expect((await listDeployments(engine.adminUrl)).map(({ url }) => url)).toContain(after.url)
  await sleep(1_500)
  expect(passes.old).toBe(byOld)
}, 60_000)

/** Guarantee: after the engine lost its data, the chores come back by themselves. */
test('a timer that the engine has lost is started again when its pass is late, and never before', async () => {
  const name = nameOf('lost')
  let passes = 0
  const runner = createChores(server.ctx, [chore(name, async () => ++passes < 0, { everyMs: 600_000 })])
  await startWorkers(runner)
  await runner.start()
  await expect.poll(() => passes, { timeout: 15_000 }).toBe(1)
  await expect.poll(async () => (await listChores(server.ctx.db.system)).length).toBe(1)
  await closeEngine()
  await openEngine()
  await startWorkers(runner)
  await runner.watch()
  await sleep(500)
  expect(passes).toBe(1)
  await sql`update chore set next_at = now() - interval '5 minutes'`.execute(server.ctx.db.system)
  await runner.watch()
  await expect.poll(() => passes, { timeout: 15_000 }).toBe(2)
  // The timer runs again, so what the database says makes no second one.
  await sql`update chore set next_at = now() - interval '5 minutes'`.execute(server.ctx.db.system)
  await runner.watch()
  await sleep(1_000)
  expect(passes).toBe(2)
}, 90_000)

test('a chore that this release does not have ends', async () => {
  const runner = createChores(server.ctx, [])
  expect(await runner.pass('of another release')).toBeNull()
  await runner.stop()
})
