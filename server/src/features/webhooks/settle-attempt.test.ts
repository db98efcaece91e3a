import { expect, test } from 'vitest'
import { retryWaitMs } from './settle-attempt.ts'

/** Guarantee: five retries after 10, 20, 40, 80 and 160 s, each within a tenth, and then no more. */
test.each([
  [1, 10_000],
  [2, 20_000],
  [3, 40_000],
  [4, 80_000],
  [5, 160_000],
])('after failed try %i', (tries, waitMs) => {
  expect([0, 0.5, 1].map((random) => retryWaitMs(tries, random, 'short'))).toEqual([waitMs * 0.9, waitMs, waitMs * 1.1])
})

test('the sixth try was the last', () => {
  expect(retryWaitMs(6, 0.5, 'short')).toBeNull()
})

test('a webhook that wants it is tried for a day: fifteen times, and the first five as always', () => {
  const waits = Array.from({ length: 15 }, (_, n) => retryWaitMs(n + 1, 0.5, 'day') ?? 0)
  expect(waits.slice(0, 6)).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000])
  expect(Math.max(...waits)).toBe(4.5 * 3_600_000)
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000
  expect([hours > 23, hours <= 24]).toEqual([true, true])
  expect(retryWaitMs(16, 0.5, 'day')).toBeNull()
})
