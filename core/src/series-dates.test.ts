import { weekdays, type SeriesRule } from '@carillon/contract'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { seriesDates, type DateOfSeries } from './series-dates.ts'

/** Guarantee: the dates of a series follow its rule on the calendar and its time on the clock, each exactly once, whatever the clocks do. */

const base: SeriesRule = { every: 1, unit: 'day', time: '09:00', timezone: 'Europe/Berlin', from: '2027-01-01' }
const take = (rule: Partial<SeriesRule>, count: number, after?: string) =>
  [...seriesDates({ ...base, ...rule }, after).take(count)].map(({ date, atMs }) => ({ date, at: new Date(atMs).toISOString() }))
const days = (rule: Partial<SeriesRule>, count: number) => take(rule, count).map(({ date }) => date)

describe('the days of a rule', () => {
  test('every third day', () => {
    expect(days({ every: 3 }, 3)).toEqual(['2027-01-01', '2027-01-04', '2027-01-07'])
  })

  test('weekdays of every other week, counted from the week of the first day', () => {
    // 2027-01-01 is a Friday, so Monday of that week is over.
    expect(days({ unit: 'week', every: 2, on: ['friday', 'monday'] }, 4)).toEqual([
      '2027-01-01',
      '2027-01-11',
      '2027-01-15',
      '2027-01-25',
    ])
    expect(days({ unit: 'week' }, 2)).toEqual(['2027-01-01', '2027-01-08'])
  })

  test('guarantee: the 31st is the last day of a shorter month, and the 31st again afterwards', () => {
    expect(days({ unit: 'month', on: 31 }, 5)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
    expect(days({ unit: 'month', from: '2027-10-31' }, 5).at(-1)).toBe('2028-02-29')
    expect(days({ unit: 'month', on: 'last' }, 2)).toEqual(['2027-01-31', '2027-02-28'])
  })

  test('the nth weekday of a month', () => {
    expect(days({ unit: 'month', on: { nth: 2, weekday: 'tuesday' } }, 2)).toEqual(['2027-01-12', '2027-02-09'])
    expect(days({ unit: 'month', on: { nth: 'last', weekday: 'friday' } }, 3)).toEqual(['2027-01-29', '2027-02-26', '2027-03-26'])
    expect(days({ unit: 'month', on: { nth: 'last', weekday: 'sunday' } }, 1)).toEqual(['2027-01-31'])
  })

  test('end with the last day, and go on after a day', () => {
    expect(days({ until: '2027-01-03' }, 9)).toEqual(['2027-01-01', '2027-01-02', '2027-01-03'])
    expect(take({ every: 7 }, 1, '2027-01-08')[0]?.date).toBe('2027-01-15')
    expect(days({ unit: 'month', every: 24, on: 1, from: '2027-01-02' }, 1)).toEqual(['2029-01-01'])
  })
})

describe('the clock', () => {
  test('guarantee: a time that the clock skips is moved behind the gap, and the next day has its own time again', () => {
    expect(take({ time: '02:30', from: '2027-03-27' }, 3)).toEqual([
      { date: '2027-03-27', at: '2027-03-27T01:30:00.000Z' },
      { date: '2027-03-28', at: '2027-03-28T01:30:00.000Z' },
      { date: '2027-03-29', at: '2027-03-29T00:30:00.000Z' },
    ])
  })

  test('guarantee: a time that the clock has twice is the first of the two', () => {
    expect(take({ time: '02:30', from: '2027-10-31' }, 2)).toEqual([
      { date: '2027-10-31', at: '2027-10-31T00:30:00.000Z' },
      { date: '2027-11-01', at: '2027-11-01T01:30:00.000Z' },
    ])
  })

  test('a day that a zone has skipped as a whole is no second post', () => {
    // Samoa had no 30 December 2011.
    const found = take({ timezone: 'Pacific/Apia', from: '2011-12-29' }, 3)
    expect(found.map(({ at }) => at)).toEqual([
      '2011-12-29T19:00:00.000Z',
      '2011-12-30T19:00:00.000Z',
      '2011-12-31T19:00:00.000Z',
    ])
  })
})

const zones = Intl.supportedValuesOf('timeZone')
const two = (value: number) => String(value).padStart(2, '0')
const anyOn = (unit: SeriesRule['unit']): fc.Arbitrary<SeriesRule['on']> => {
  if (unit === 'day') return fc.constant(undefined)
  if (unit === 'week') return fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 })
  return fc.oneof(
    fc.integer({ min: 1, max: 31 }),
    fc.constant('last' as const),
    fc.record({
      nth: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant('last' as const)),
      weekday: fc.constantFrom(...weekdays),
    }),
  )
}
const anyRule: fc.Arbitrary<SeriesRule> = fc.constantFrom('day', 'week', 'month').chain((unit) =>
  fc
    .record({
      every: fc.integer({ min: 1, max: unit === 'day' ? 10 : 3 }),
      unit: fc.constant(unit),
      on: anyOn(unit),
      time: fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([h, m]) => `${two(h)}:${two(m)}`),
      timezone: fc.constantFrom(...zones),
      from: fc.integer({ min: 0, max: 1500 }).map((add) => Temporal.PlainDate.from('2026-01-01').add({ days: add }).toString()),
    })
    .map(({ on, ...rule }) => (on === undefined ? rule : { ...rule, on })),
)

const dayMs = 86_400_000
const firstMonday = Date.parse('1970-01-05')

/** Whether the rule has this day, told in another way than by the code: by looking at a single day, in UTC. */
function isDateOf({ every, unit, on, from }: SeriesRule, ms: number): boolean {
  const firstMs = Date.parse(from)
  if (unit === 'day') return ((ms - firstMs) / dayMs) % every === 0
  const [first, day] = [new Date(firstMs), new Date(ms)]
  const weekday = weekdays[(day.getUTCDay() + 6) % 7]
  if (unit === 'week') {
    const week = (at: number) => Math.floor((at - firstMonday) / (7 * dayMs))
    return (week(ms) - week(firstMs)) % every === 0 && Array.isArray(on) && on.some((each) => each === weekday)
  }
  const months = (day.getUTCFullYear() - first.getUTCFullYear()) * 12 + day.getUTCMonth() - first.getUTCMonth()
  if (months % every !== 0) return false
  const ofMonth = day.getUTCDate()
  const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  if (on === 'last') return ofMonth === length
  if (typeof on === 'number') return ofMonth === Math.min(on, length)
  if (typeof on !== 'object' || Array.isArray(on) || weekday !== on.weekday) return false
  return on.nth === 'last' ? ofMonth + 7 > length : Math.ceil(ofMonth / 7) === on.nth
}

/** What is wrong with the time of a date, if anything. */
function wrongTime({ time, timezone }: SeriesRule, { date, wall, atMs }: DateOfSeries): string | null {
  if (wall !== `${date}T${time}:00`) return `${date} has the wall time ${wall}`
  const shown = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone)
  if (shown.toPlainDateTime().toString() === wall) {
    const isFirst = shown.toPlainDateTime().toZonedDateTime(timezone, { disambiguation: 'earlier' }).epochMilliseconds === atMs
    return isFirst ? null : `${wall} is the second of two`
  }
  // Only behind a gap may the clock show another time: then no instant shows the one that was asked for.
  try {
    Temporal.PlainDateTime.from(wall).toZonedDateTime(timezone, { disambiguation: 'reject' })
    return `${wall} is shown as ${shown.toString()}`
  } catch {
    return shown.toPlainDateTime().toString() > wall ? null : `${wall} is before its gap`
  }
}

test('guarantee: any rule in any zone has 366 dates, in order, each once and none left out, at the time that the wall shows', () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      const found = [...seriesDates(rule).take(366)]
      const wrong: (string | null)[] = []
      let day = Date.parse(rule.from)
      let beforeMs = -Infinity
      for (const each of found) {
        while (!isDateOf(rule, day)) day += dayMs
        if (Date.parse(each.date) !== day) wrong.push(`${each.date} is not ${new Date(day).toISOString()}`)
        if (each.atMs <= beforeMs) wrong.push(`${each.date} is not after the date before`)
        wrong.push(wrongTime(rule, each))
        beforeMs = each.atMs
        day += dayMs
      }
      const at = found.length >> 1
      const [half, rest] = [found[at]?.date, [...seriesDates(rule, found[at]?.date).take(3)].map(({ date }) => date)]
      expect([half, ...rest]).toEqual(found.slice(at, at + 4).map(({ date }) => date))
      expect([found.length, wrong.filter((each) => each !== null)]).toEqual([366, []])
    }),
    { numRuns: 500 },
  )
}, 120_000)
