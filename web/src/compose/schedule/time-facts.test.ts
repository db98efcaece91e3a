import { expect, test } from 'vitest'
import { nextHour } from './time-facts.ts'

test.each([
  ['the next full hour', '2027-03-10T12:10:00Z', '2027-03-10T14:00'],
  ['half an hour is left', '2027-03-10T12:40:00Z', '2027-03-10T15:00'],
  ['not in the night: the next morning', '2027-03-10T22:10:00Z', '2027-03-11T09:00'],
  ['not in the night: this morning', '2027-03-11T02:10:00Z', '2027-03-11T09:00'],
  ['the evening is fine', '2027-03-10T19:10:00Z', '2027-03-10T21:00'],
])('%s', (_, now, wall) => {
  expect(nextHour('Europe/Berlin', Date.parse(now))).toBe(wall)
})
