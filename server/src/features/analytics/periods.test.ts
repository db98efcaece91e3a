import { expect, test } from 'vitest'
import { periodOf, periodsBetween } from './resolve-range.ts'

/** Guarantee: weeks start on Monday, the date of a period is its first day, and no period is missing. */
test.each([
  ['2026-11-15', '2026-11-09'],
  ['2026-11-16', '2026-11-16'],
  ['1970-01-01', '1969-12-29'],
  ['2024-02-29', '2024-02-26'],
])('the week of %s starts on %s', (day, monday) => {
  expect(periodOf(day, 'week')).toBe(monday)
})

test.each([
  ['day', ['2024-02-28', '2024-02-29', '2024-03-01']],
  ['week', ['2024-02-26']],
  ['month', ['2024-02-01', '2024-03-01']],
] as const)('every %s of a range', (granularity, periods) => {
  expect(periodsBetween({ from: '2024-02-28', to: '2024-03-01' }, { granularity, max: 100 })).toEqual(periods)
})

test('a year has 53 weeks at most and 12 months', () => {
  const year = { from: '2026-01-01', to: '2026-12-31' }
  expect(periodsBetween(year, { granularity: 'week', max: 100 })).toHaveLength(53)
  expect(periodsBetween(year, { granularity: 'month', max: 100 }).at(-1)).toBe('2026-12-01')
  expect(periodsBetween(year, { granularity: 'day', max: 100 })).toHaveLength(101)
})
