import { expect, test } from 'vitest'
import { roundTicks } from './lateness-chart.tsx'

test.each([
  [0, [0, 1]],
  [0.43, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
  [2.6, [0, 1, 2, 3]],
  [9, [0, 2, 4, 6, 8, 10]],
  [250, [0, 60, 120, 180, 240, 300]],
  [20_000, [0, 7200, 14_400, 21_600]],
])('guarantee: an axis up to %d seconds has round marks', (max, marks) => {
  expect(roundTicks(max)).toEqual(marks)
})
