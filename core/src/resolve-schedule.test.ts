import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantOfWall, isTimezone, resolveSchedule } from './resolve-schedule.ts'

const nowMs = Date.UTC(2027, 0, 1)
const resolve = (scheduledAt: string, timezone?: string | null) => resolveSchedule({ scheduledAt, timezone }, nowMs)

describe('accepted', () => {
  test.each([
    ['2027-03-01T09:00:00Z', undefined, '2027-03-01T09:00:00.000Z', null],
    ['2027-03-01T09:00Z', undefined, '2027-03-01T09:00:00.000Z', null],
    ['2027-03-01T09:00:00.1234567+02:00', undefined, '2027-03-01T07:00:00.123Z', null],
    ['2027-03-01T09:00:00-0330', undefined, '2027-03-01T12:30:00.000Z', null],
    ['2027-03-01T09:00:00Z', 'Europe/Paris', '2027-03-01T09:00:00.000Z', null],
    ['2027-03-01T09:00:00', 'Europe/Paris', '2027-03-01T08:00:00.000Z', '2027-03-01T09:00:00'],
    ['2027-07-01T09:00', 'Europe/Paris', '2027-07-01T07:00:00.000Z', '2027-07-01T09:00:00'],
    ['2032-01-01T00:00:00Z', undefined, '2032-01-01T00:00:00.000Z', null],
  ])('%s in %s resolves to %s', (scheduledAt, timezone, at, wall) => {
    expect(resolve(scheduledAt, timezone)).toEqual({ ok: true, at, wall, timezone: timezone ?? null })
  })

  test.each(['2027-01-01T00:00:00Z', '2026-12-31T23:59:00Z', '2027-01-01T01:00:00+01:00'])('%s is due now', (scheduledAt) => {
    expect(resolve(scheduledAt)).toEqual({ ok: true, at: 'now', wall: null, timezone: null })
  })
})

describe('refused', () => {
  test.each([
    ['2027-13-45T99:00:00Z', undefined, 'schedule_invalid', 'scheduledAt'],
    ['2027-02-30T09:00:00Z', undefined, 'schedule_invalid', 'scheduledAt'],
    ['2027-02-30T09:00:00', 'Europe/Paris', 'schedule_invalid', 'scheduledAt'],
    ['2027-02-03T24:00:00Z', undefined, 'schedule_invalid', 'scheduledAt'],
    ['2027-02-03T09:00:00+25:00', undefined, 'schedule_invalid', 'scheduledAt'],
    ['2027-02-03T09:00:00Z[Europe/Paris]', undefined, 'schedule_invalid', 'scheduledAt'],
    ['2027-02-03', 'Europe/Paris', 'schedule_invalid', 'scheduledAt'],
    ['tomorrow', undefined, 'schedule_invalid', 'scheduledAt'],
    ['', undefined, 'schedule_invalid', 'scheduledAt'],
    ['1767225600000', undefined, 'schedule_invalid', 'scheduledAt'],
    ['2027-02-03T09:00:00', undefined, 'schedule_timezone_missing', 'timezone'],
    ['2027-02-03T09:00:00', null, 'schedule_timezone_missing', 'timezone'],
    ['2027-02-03T09:00:00', 'Mars/Olympus', 'timezone_invalid', 'timezone'],
    ['2027-02-03T09:00:00Z', '+02:00', 'timezone_invalid', 'timezone'],
    ['2026-12-31T23:58:59.999Z', undefined, 'schedule_past', 'scheduledAt'],
    ['2032-01-01T00:00:00.001Z', undefined, 'schedule_too_far', 'scheduledAt'],
  ])('%s in %s: %s', (scheduledAt, timezone, code, path) => {
    expect(resolve(scheduledAt, timezone)).toMatchObject({ ok: false, code, path })
  })
})

test('a skipped wall-clock time moves forward by the gap; of a repeated one the first is used', () => {
  expect(instantOfWall('2027-03-28T02:30:00', 'Europe/Paris')).toBe('2027-03-28T01:30:00.000Z')
  expect(instantOfWall('2027-10-31T02:30:00', 'Europe/Paris')).toBe('2027-10-31T00:30:00.000Z')
  expect(instantOfWall('2027-03-14T02:30:00', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z')
  expect(instantOfWall('nonsense', 'Europe/Paris')).toBeNull()
  expect(instantOfWall('2027-03-14T02:30:00', 'Nowhere')).toBeNull()
})

test('only IANA names are timezones', () => {
  for (const name of ['UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta'])
    expect(isTimezone(name)).toBe(true)
  for (const name of ['', '+02:00', 'Paris', 'Europe/Nowhere', '../etc/passwd']) expect(isTimezone(name)).toBe(false)
})

test('an instant resolves to itself, whatever its offset', () => {
  const future = fc.integer({ min: nowMs + 1, max: nowMs + 4 * 365 * 86_400_000 })
  const offset = fc.integer({ min: -14, max: 14 })
  fc.assert(
    fc.property(future, offset, (atMs, hours) => {
      const written = new Date(atMs + hours * 3_600_000).toISOString().slice(0, -1)
      const sign = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
      expect(resolve(written + sign)).toMatchObject({ ok: true, at: new Date(atMs).toISOString() })
    }),
  )
})

test('an arbitrary string is refused and never throws', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string()), (scheduledAt, timezone) => {
      expect(resolve(scheduledAt, timezone).ok).toBe(false)
    }),
  )
})
