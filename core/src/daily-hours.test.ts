import { describe, expect, test } from 'vitest'
import { dayIn, hoursInclude, isWithinHours } from './daily-hours.ts'

const berlin = 'Europe/Berlin'
const at = (instant: string) => Date.parse(instant)

/** Guarantee: hours are those of the clocks in the workspace's time zone, in summer and in winter, and over midnight. */
describe('isWithinHours', () => {
  const day = { from: '09:00', to: '17:00' }
  test.each([
    ['the first minute in winter', '2026-11-18T08:00:00Z', true],
    ['a minute before', '2026-11-18T07:59:59Z', false],
    ['the first minute in summer', '2026-07-18T07:00:00Z', true],
    ['the last minute', '2026-11-18T15:59:59Z', true],
    ['the end itself', '2026-11-18T16:00:00Z', false],
  ])('%s', (_what, instant, isWithin) => {
    expect(isWithinHours(day, at(instant), berlin)).toBe(isWithin)
  })

  test('hours may go over midnight', () => {
    const night = { from: '22:00', to: '06:00' }
    expect(isWithinHours(night, at('2026-11-18T22:30:00Z'), berlin)).toBe(true)
    expect(isWithinHours(night, at('2026-11-18T04:30:00Z'), berlin)).toBe(true)
    expect(isWithinHours(night, at('2026-11-18T12:00:00Z'), berlin)).toBe(false)
  })
})

test.each([
  ['the same', ['09:00', '17:00'], ['09:00', '17:00'], true],
  ['within', ['09:00', '17:00'], ['10:00', '12:00'], true],
  ['earlier', ['09:00', '17:00'], ['08:59', '12:00'], false],
  ['later', ['09:00', '17:00'], ['10:00', '17:01'], false],
  ['around midnight', ['22:00', '06:00'], ['23:00', '01:00'], true],
  ['the rest of the day', ['09:00', '17:00'], ['17:00', '09:00'], false],
] as const)('hours include others: %s', (_what, [from, to], [innerFrom, innerTo], isIncluded) => {
  expect(hoursInclude({ from, to }, { from: innerFrom, to: innerTo })).toBe(isIncluded)
})

test('a day begins at midnight of the time zone', () => {
  expect(dayIn(berlin, at('2026-11-17T23:30:00Z'))).toBe('2026-11-18')
  expect(dayIn('America/New_York', at('2026-11-18T03:00:00Z'))).toBe('2026-11-17')
})
