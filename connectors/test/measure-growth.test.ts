import { expect, test } from 'vitest'
import { linearGrowthMax, measureGrowth } from './measure-growth.ts'

/** Uses the processor, as long as a slow machine needs. */
function work(steps: number): number {
  let sum = 0
  for (let step = 0; step < steps; step++) sum = Math.imul(sum + step, 31)
  return sum
}

/** Guarantee: work that grows with the square of the text is noticed, and slow work that grows with its length is not taken for it. */
test('quadratic work grows, and slow linear work does not', { timeout: 60_000 }, () => {
  const text = 'a'.repeat(7000)
  expect(measureGrowth(text, ({ length }) => work(length ** 2))).toBeGreaterThanOrEqual(linearGrowthMax)
  expect(measureGrowth(text, ({ length }) => work(length * 7000))).toBeLessThan(linearGrowthMax)
})
