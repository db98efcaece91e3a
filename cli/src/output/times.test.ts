import { expect, test } from 'vitest'
import { readDuration, readTime } from './times.ts'

test('guarantee: the zone behind a time is its zone, so that a post is not published at another hour', () => {
  const at = '2027-03-28T09:00'
  expect(readTime('2027-03-28 09:00 Europe/Berlin', null)).toEqual({ scheduledAt: at, timezone: 'Europe/Berlin' })
  expect(readTime('2027-03-28 09:00', 'Asia/Tokyo')).toEqual({ scheduledAt: at, timezone: 'Asia/Tokyo' })
  expect(readTime('2027-03-28 09:00', null)).toEqual({ scheduledAt: at, timezone: null })
  expect(readTime('2027-03-28T09:00+02:00', null)).toEqual({ scheduledAt: `${at}+02:00`, timezone: null })
  expect(() => readTime('2027-03-28 09:00 Europe/Berlin', 'Asia/Tokyo')).toThrow('names the zone')
})

test('durations are added up', () => {
  expect(readDuration('2h30m', 'in')).toBe(9_000_000)
  expect(() => readDuration('2 hours', 'in')).toThrow('--in takes a duration')
})
