import { weekdays } from '@carillon/contract'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { weekHours } from './week-hours.ts'

test('an instant is read on the clocks of the time zone', () => {
  // A Monday evening in UTC is a Tuesday morning in Auckland, and a Monday afternoon in New York.
  const at = Date.parse('2026-11-16T20:15:00Z')
  expect(weekHours('UTC')(at)).toEqual({ day: 'monday', hour: 20 })
  expect(weekHours('Pacific/Auckland')(at)).toEqual({ day: 'tuesday', hour: 9 })
  expect(weekHours('America/New_York')(at)).toEqual({ day: 'monday', hour: 15 })
  expect(weekHours('Asia/Kathmandu')(at)).toEqual({ day: 'tuesday', hour: 2 })
})

/** Guarantee: a post at nine is a post at nine, in summer and in winter, and an hour that the clock has twice is one hour. */
test('clock changes do not move posts to another hour', () => {
  const read = weekHours('Europe/Berlin')
  const hours = (...times: string[]) => times.map((at) => read(Date.parse(at)).hour)
  expect(hours('2026-10-23T07:00:00Z', '2026-10-26T08:00:00Z')).toEqual([9, 9])
  // On 25 October 2026, 02:30 is there twice: first in summer time, then in winter time.
  expect(hours('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z')).toEqual([2, 2, 3])
  expect(read(Date.parse('2026-10-25T01:30:00Z') + 0.25)).toEqual({ day: 'sunday', hour: 2 })
  // On 29 March 2026, the clock goes from 02:00 to 03:00.
  expect(hours('2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z')).toEqual([1, 3])
})

test('every instant has the hour that the calendar of its zone says', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'America/Los_Angeles']
  const [min, max] = [Date.parse('2025-01-01T00:00:00Z'), Date.parse('2027-12-31T23:59:59Z')]
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.array(fc.integer({ min, max }), { minLength: 1 }), (zone, instants) => {
      const read = weekHours(zone)
      for (const at of instants) {
        const { dayOfWeek, hour } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
        expect(read(at)).toEqual({ day: weekdays[dayOfWeek - 1], hour })
      }
    }),
  )
})
