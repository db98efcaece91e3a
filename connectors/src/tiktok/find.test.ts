import { expect, test } from 'vitest'
import { compareDescription } from './find.ts'

const long = 'Bells '.repeat(40)

/** Guarantee: a text of which only the beginning is listed is never certain to be ours. */
test.for([
  ['Bells', 'Bells', 'same'],
  ['Bells', 'Towers', 'other'],
  [`${long}https://a.example/two`, long.slice(0, 150), 'maybe'],
  [`${long}https://a.example/two`, `Towers ${long}`.slice(0, 150), 'other'],
] as const)('%s / %s', ([sent, shown, match]) => {
  expect(compareDescription(sent, shown)).toBe(match)
})
