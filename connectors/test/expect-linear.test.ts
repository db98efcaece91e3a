import { expect, test } from 'vitest'
import { expectLinear } from './expect-linear.ts'

/** Uses the processor for a number of steps, as slow as a slow machine. */
function work(steps: number): number {
  let sum = 0
  for (let step = 0; step < steps; step++) sum = Math.imul(sum + step, 31)
  return sum
}

/** Guarantee: work that grows with the square of the text is noticed, and slow work that grows with its length is not taken for it. */
test('quadratic work fails and slow linear work passes', () => {
  const text = 'a'.repeat(7000)
  expect(() => expectLinear(text, ({ length }) => work(length ** 2))).toThrow('ms for the whole text')
  expectLinear(text, ({ length }) => work(length * 7000))
})
