import type { CalendarEntry } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { groupBySlot, isPast, showEntry, splitAtToday, wallInSlot } from './shown-entry.ts'

const style = { zone: 'Europe/Berlin', language: 'en-GB' }
const entryAt = (at: string): CalendarEntry => ({
  uploadId: '6af9773e83f542bfc0e7ecac',
  at,
  timezone: null,
  status: 'scheduled',
  type: 'text',
  excerpt: 'Evensong',
  connections: [],
  failed: 0,
  unconfirmed: 0,
  approval: 'none',
  mediaId: null,
  hasPicture: false,
  updatedAt: at,
})

test('guarantee: a new day keeps the time of day, and a new hour the minutes', () => {
  expect(wallInSlot('2027-03-28', '2027-03-01T09:45')).toBe('2027-03-28T09:45')
  expect(wallInSlot('2027-03-28T17', '2027-03-01T09:45')).toBe('2027-03-28T17:45')
  expect(wallInSlot('2027-04-02', '2027-03-28T09:45')).toBe('2027-04-02T09:45')
  expect(wallInSlot('2028-01-01T08', '2027-12-31T09:45')).toBe('2028-01-01T08:45')
})

test("guarantee: a post that was scheduled in another zone has its time there and the reader's, others only the one", () => {
  const entry = { ...entryAt('2027-03-03T00:00:00Z'), timezone: 'Asia/Tokyo' }
  const show = (each: CalendarEntry, ownZone: string) => showEntry(each, { style, ownZone }).clocks
  expect(show(entry, 'Europe/Berlin')).toEqual({ there: '09:00', city: 'Tokyo', here: '01:00' })
  expect(show({ ...entry, timezone: null }, 'Asia/Tokyo')).toEqual({ there: '01:00', city: 'Berlin', here: '09:00' })
  expect([show(entryAt(entry.at), 'Europe/Berlin'), show({ ...entry, timezone: 'Europe/Paris' }, 'Europe/Berlin')]).toEqual([
    null,
    null,
  ])
})

test('guarantee: entries stand on the day and hour of the shown zone', () => {
  const shown = ['2027-03-27T22:59:00Z', '2027-03-27T23:00:00Z'].map((at) =>
    showEntry(entryAt(at), { style, ownZone: style.zone }),
  )
  expect([...groupBySlot(shown, 'day').keys()]).toEqual(['2027-03-27', '2027-03-28'])
  expect([...groupBySlot(shown, 'hour').keys()]).toEqual(['2027-03-27T23', '2027-03-28T00'])
  expect(shown.map(({ time }) => time)).toEqual(['23:59', '00:00'])
})

test.each([
  ['2027-03-11', ['2027-03-09', '2027-03-10'], ['2027-03-12']],
  ['2027-03-10', ['2027-03-09'], ['2027-03-10', '2027-03-12']],
  ['2027-03-01', [], ['2027-03-09', '2027-03-10', '2027-03-12']],
  ['2027-03-13', ['2027-03-09', '2027-03-10', '2027-03-12'], []],
])('guarantee: on %s, the list starts at that day, and no day is lost', (today, earlier, ahead) => {
  const days = ['2027-03-09', '2027-03-10', '2027-03-12'].map((day) => [day, null] as const)
  const split = splitAtToday(days, today)
  expect(split.earlier.map(([day]) => day)).toEqual(earlier)
  expect(split.ahead.map(([day]) => day)).toEqual(ahead)
})

test('guarantee: today and this hour are not over yet, so that a post can still be planned for them', () => {
  const now = '2027-03-28T09:30'
  expect(['2027-03-27', '2027-03-28', '2027-03-29'].map((day) => isPast(day, now))).toEqual([true, false, false])
  const hours = ['2027-03-28T08', '2027-03-28T09', '2027-03-28T10']
  expect(hours.map((hour) => isPast(hour, now))).toEqual([true, false, false])
})
