import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import { createRateLimiter, type RateLimiter } from './create-rate-limiter.ts'

let database: TestDatabase
let servers: TestServer[]
let aheadMs = 0
const nowMs = () => Date.now() + aheadMs

beforeAll(async () => {
  database = await startDatabase()
  servers = [1, 2].map(() => openServer({ database, replace: { nowMs } }))
}, 60_000)
afterAll(async () => {
  for (const server of servers) await server.close()
  await database.stop()
})

const processes = (policy: string, limit: number) => servers.map(({ ctx }) => createRateLimiter(ctx, policy, limit))
const isAllowed = async (limiter: RateLimiter | undefined, subject = 'a') => !(await limiter?.count(subject))?.exceeded

async function countAllowed(limiters: readonly RateLimiter[], requests: number): Promise<number> {
  let allowed = 0
  for (let n = 0; n < requests; n++) if (await isAllowed(limiters[n % limiters.length])) allowed++
  return allowed
}

/** Guarantee: a limit holds for all processes together, and one process alone can use all of it. */
test.each([100, 1000, 6000])('of a limit of %i, two processes allow about as much together as one would alone', async (limit) => {
  const allowed = await countAllowed(processes('two', limit), limit * 2)
  expect(allowed).toBeLessThanOrEqual(limit)
  expect(allowed).toBeGreaterThanOrEqual(limit * 0.97)
  const [alone] = processes('one', limit)
  expect(await countAllowed(alone ? [alone] : [], limit * 2)).toBe(limit)
})

test('concurrent requests do not exceed the limit', async () => {
  const limiters = processes('concurrent', 200)
  const answers = await Promise.all(Array.from({ length: 800 }, (_, n) => isAllowed(limiters[n % 2])))
  expect(answers.filter(Boolean).length).toBeLessThanOrEqual(200)
  expect(answers.filter(Boolean).length).toBeGreaterThanOrEqual(190)
})

test('what is left decreases by one with each request, and nothing is left when a request is refused', async () => {
  const [limiter] = processes('steps', 5)
  const states = []
  for (let n = 0; n < 6; n++) states.push(await limiter?.count('a'))
  expect(states.map((state) => [state?.remaining, state?.exceeded])).toEqual([
    [4, false],
    [3, false],
    [2, false],
    [1, false],
    [0, false],
    [0, true],
  ])
})

test('the next window starts a minute after the first request', async () => {
  const [limiter, other] = processes('windows', 5)
  await countAllowed(limiter ? [limiter] : [], 10)
  expect(await isAllowed(limiter)).toBe(false)
  expect(await isAllowed(other)).toBe(false)
  aheadMs += 61_000
  expect(await isAllowed(limiter)).toBe(true)
  expect(await isAllowed(other)).toBe(true)
})

test('callers with few requests cost no statement, and others one for many requests', async () => {
  const { ctx } = servers[0] ?? {}
  let statements = 0
  const counting = {
    ...ctx,
    db: {
      ...ctx?.db,
      get system() {
        return (statements++, ctx?.db.system)
      },
    },
  } as unknown as Context
  const limiter = createRateLimiter(counting, 'cost', 6000)
  for (let n = 0; n < 60; n++) await limiter.count('quiet')
  expect(statements).toBe(0)
  for (let n = 0; n < 3000; n++) await limiter.count('busy')
  expect(statements).toBeLessThan(15)
})

test('made-up subjects do not reset what was counted', async () => {
  const [limiter] = processes('made up', 100)
  expect(await countAllowed(limiter ? [limiter] : [], 200)).toBe(100)
  for (let n = 0; n < 60_000; n++) void limiter?.peek(`made up ${n}`)
  const limits = createRateLimiter(servers[0]?.ctx as Context, 'flood', 6000)
  for (let n = 0; n < 60_000; n++) void limits.count(`address ${n}`)
  expect(await isAllowed(limiter)).toBe(false)
})

test('a window that was dropped for newer ones is still counted in the database', async () => {
  const limiter = createRateLimiter(servers[0]?.ctx as Context, 'dropped', 1000)
  expect(await countAllowed([limiter], 1500)).toBe(1000)
  for (let n = 0; n < 51_000; n++) void limiter.count(`address ${n}`)
  // It starts with the hundredth that a process allows on its own.
  expect(await countAllowed([limiter], 100)).toBeLessThanOrEqual(10)
})
