import { expect, test } from 'vitest'
import { readFollowers } from './auth.ts'

test.for([
  [0, 0],
  [48_213, 48_213],
  ['48213', 48_213],
])('%s is a number of followers', ([said, followers]) => {
  expect(readFollowers(said)).toEqual({ followers })
})

/** Guarantee: an account of which a platform tells no number has no number here, least of all 0. */
test('whatever is no count is unknown', () => {
  const wrong = [undefined, null, '', ' ', 'many', '1e3', '-1', -1, 1.5, Number.NaN, Infinity, 2 ** 60, true, [], {}]
  expect(wrong.map((said) => readFollowers(said))).toEqual(wrong.map(() => ({})))
})
