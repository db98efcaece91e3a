import { expect, test } from 'vitest'
import { dayIn, monthDays, spanOfDays, wallTimeIn, weekDays } from './zoned-day.ts'

test('guarantee: a post belongs to the day of its zone, not of UTC', () => {
  expect(dayIn('Asia/Tokyo', '2027-03-27T15:30:00Z')).toBe('2027-03-28')
  expect(dayIn('America/Los_Angeles', '2027-03-28T06:59:00Z')).toBe('2027-03-27')
  expect(wallTimeIn('Europe/Berlin', '2027-03-28T01:00:00Z')).toBe('2027-03-28T03:00')
})

test('a month shows whole weeks, also across the change to summer time', () => {
  const days = monthDays('2027-03')
  expect(days.length % 7).toBe(0)
  expect([days[0], days.at(-1)]).toEqual(['2027-03-01', '2027-04-04'])
  expect(monthDays('2027-03', 7)[0]).toBe('2027-02-28')
  expect(new Set(days).size).toBe(days.length)
})

test('a week has seven days and contains the day', () => {
  expect(weekDays('2027-03-28')).toEqual([
    '2027-03-22',
    '2027-03-23',
    '2027-03-24',
    '2027-03-25',
    '2027-03-26',
    '2027-03-27',
    '2027-03-28',
  ])
})

test('guarantee: a view contains its first and its last day whole, also if the clocks change on it', () => {
  expect(spanOfDays('Europe/Berlin', weekDays('2027-03-28'))).toEqual({
    from: '2027-03-21T23:00:00Z',
    to: '2027-03-28T22:00:00Z',
  })
  expect(spanOfDays('Asia/Tokyo', ['2027-05-01'])).toEqual({ from: '2027-04-30T15:00:00Z', to: '2027-05-01T15:00:00Z' })
})
