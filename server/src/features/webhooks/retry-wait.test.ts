import { expect, test } from 'vitest'
import { retryWaitMs } from './retry-wait.ts'

/** Guarantee: five retries after 10, 20, 40, 80 and 160 s, each within a tenth, and then no more. */
test.each([
  [1, 10_000],
  [2, 20_000],
  [3, 40_000],
  [4, 80_000],
  [5, 160_000],
])('after failed try %i', (tries, waitMs) => {
  expect([0, 0.5, 1].map((random) => retryWaitMs(tries, random))).toEqual([waitMs * 0.9, waitMs, waitMs * 1.1])
})

test('the sixth try was the last', () => {
  expect(retryWaitMs(6, 0.5)).toBeNull()
})
