import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { runLoop } from './run-loop.ts'

const log = pino({ level: 'silent' })

test('guarantee: a pass that never ends does not stop the loop', async () => {
  let passes = 0
  const work = () => (++passes === 1 ? new Promise<boolean>(() => {}) : Promise.resolve(false))
  const loop = runLoop({ name: 'test', log, everyMs: 10, deadlineMs: 50, work })
  await expect.poll(() => passes, { timeout: 5000 }).toBeGreaterThan(2)
  expect(loop.status.abandonedPasses).toBe(1)
  expect(loop.status.lastSuccessAtMs).not.toBeNull()
  await loop.stop()
})

test('guarantee: stopping waits for the current pass, but not beyond its deadline', async () => {
  let isDone = false
  const slow = runLoop({ name: 'slow', log, everyMs: 10, deadlineMs: 5000, work: () => sleep(100).then(() => !(isDone = true)) })
  await slow.stop()
  expect(isDone).toBe(true)
  const stuck = runLoop({ name: 'stuck', log, everyMs: 10, deadlineMs: 50, work: () => new Promise<boolean>(() => {}) })
  await stuck.stop()
  expect(stuck.status.abandonedPasses).toBe(1)
})

test('a failed pass is no success, and the loop runs again', async () => {
  let passes = 0
  const work = async () => {
    passes++
    throw new Error('no')
  }
  const loop = runLoop({ name: 'failing', log, everyMs: 10, deadlineMs: 1000, work })
  await expect.poll(() => passes, { timeout: 5000 }).toBeGreaterThan(1)
  expect(loop.status).toMatchObject({ lastSuccessAtMs: null, abandonedPasses: 0 })
  await loop.stop()
})

test('waking runs a pass at once, and a pass that reports more is followed by another', async () => {
  let passes = 0
  const loop = runLoop({ name: 'woken', log, everyMs: 60_000, deadlineMs: 1000, work: async () => ++passes < 3 })
  await expect.poll(() => passes).toBe(3)
  await sleep(20)
  loop.wake()
  await expect.poll(() => passes).toBe(4)
  await loop.stop()
})
