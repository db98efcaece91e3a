import { weekdays, type QueueSlot, type Weekday } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import { slotsBetween, slotTakes, sortSlots } from './queue-slots.ts'

const between = (slots: QueueSlot[], timezone: string, from: string, to: string) =>
  [...slotsBetween(slots, timezone, { fromMs: Date.parse(from), toMs: Date.parse(to) })].map(({ wall, atMs }) => [
    wall,
    new Date(atMs).toISOString(),
  ])
const slot = (day: Weekday, time: string): QueueSlot => ({ day, time })

describe('the slots of a range', () => {
  test('are wall times of the zone, with both ends of the range', () => {
    const slots = [slot('thursday', '17:30'), slot('tuesday', '09:00')]
    expect(between(slots, 'Europe/Berlin', '2027-03-02T08:00:00Z', '2027-03-09T08:00:00Z')).toEqual([
      ['2027-03-02T09:00:00', '2027-03-02T08:00:00.000Z'],
      ['2027-03-04T17:30:00', '2027-03-04T16:30:00.000Z'],
      ['2027-03-09T09:00:00', '2027-03-09T08:00:00.000Z'],
    ])
  })

  test('belong to the day of the zone, and not to that of UTC', () => {
    // Monday 00:30 in Auckland is Sunday in UTC.
    expect(between([slot('monday', '00:30')], 'Pacific/Auckland', '2027-05-30T00:00:00Z', '2027-06-01T00:00:00Z')).toEqual([
      ['2027-05-31T00:30:00', '2027-05-30T12:30:00.000Z'],
    ])
    expect(between([slot('monday', '23:30')], 'America/Los_Angeles', '2027-01-05T00:00:00Z', '2027-01-06T00:00:00Z')).toEqual([
      ['2027-01-04T23:30:00', '2027-01-05T07:30:00.000Z'],
    ])
  })

  test('guarantee: a time that the clock skips comes after the gap, and the slot there is not a second one', () => {
    // Berlin goes from 02:00 to 03:00 on 28 March 2027.
    const slots = [slot('sunday', '02:30'), slot('sunday', '03:30'), slot('sunday', '03:15')]
    expect(between(slots, 'Europe/Berlin', '2027-03-28T00:00:00Z', '2027-03-28T12:00:00Z')).toEqual([
      ['2027-03-28T03:15:00', '2027-03-28T01:15:00.000Z'],
      ['2027-03-28T02:30:00', '2027-03-28T01:30:00.000Z'],
    ])
  })

  test('guarantee: a time that the clock has twice is one slot, at the first of the two', () => {
    // Berlin goes from 03:00 back to 02:00 on 31 October 2027.
    expect(between([slot('sunday', '02:30')], 'Europe/Berlin', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z')).toEqual([
      ['2027-10-31T02:30:00', '2027-10-31T00:30:00.000Z'],
    ])
  })

  test('a year has each slot of a week 52 times, in order', () => {
    const slots = weekdays.flatMap((day) => [slot(day, '00:00'), slot(day, '23:59')])
    const found = between(slots, 'America/Sao_Paulo', '2027-01-04T03:00:00Z', '2028-01-03T02:59:00Z')
    expect(found).toHaveLength(52 * 14)
    expect(found.map(([, at]) => at)).toEqual(found.map(([, at]) => at).toSorted())
  })

  test('a queue without slots has none', () => {
    expect(between([], 'UTC', '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z')).toEqual([])
  })
})

test('slots are ordered by the week and the clock', () => {
  const slots = [slot('sunday', '08:00'), slot('monday', '10:00'), slot('monday', '09:30')]
  expect(sortSlots(slots).map(({ day, time }) => `${day} ${time}`)).toEqual(['monday 09:30', 'monday 10:00', 'sunday 08:00'])
})

test('a slot for certain accounts takes posts that are only for them', () => {
  const some = { ...slot('monday', '09:00'), connections: ['a', 'b'] }
  expect([['a'], ['a', 'b'], ['a', 'c'], ['c']].map((slugs) => slotTakes(some, slugs))).toEqual([true, true, false, false])
  expect(slotTakes(slot('monday', '09:00'), ['c'])).toBe(true)
})
