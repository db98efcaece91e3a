import { expect, test } from 'vitest'
import { formatTime } from './format-time.ts'
import { readTimeOfDay } from './read-time-of-day.ts'

test.each([
  ['9', '09:00'],
  ['09:30', '09:30'],
  ['9.30', '09:30'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['2130', '21:30'],
  ['9h30', '09:30'],
  ['21 Uhr', '21:00'],
  ['9 pm', '21:00'],
  ['9:30 a.m.', '09:30'],
  ['12 am', '00:00'],
  ['12:15p', '12:15'],
  ['0', '00:00'],
  ['13 pm', null],
  ['24:00', null],
  ['9:60', null],
  ['9:3', null],
  ['noon', null],
  ['', null],
])('"%s" is %s', (typed, time) => {
  expect(readTimeOfDay(typed)).toBe(time)
})

test.each([
  ['en-GB', undefined],
  ['en-US', undefined],
  ['de-DE', 'h12'],
  ['en-US', 'h23'],
] as const)('guarantee: in %s with %s, what the field shows is read as the same time', (language, hourCycle) => {
  for (const time of ['00:00', '00:30', '09:05', '12:00', '13:30', '23:59']) {
    const shown = formatTime(`2027-01-01T${time}:00Z`, 'time', { zone: 'UTC', language, ...(hourCycle && { hourCycle }) })
    expect([shown, readTimeOfDay(shown)]).toEqual([shown, time])
  }
})
