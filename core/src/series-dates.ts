import { weekdays, type SeriesRule } from '@carillon/contract'
import { Temporal } from 'temporal-polyfill'
import { instantOfWall } from './resolve-schedule.ts'

/** A date of a series. */
export type DateOfSeries = { date: string; wall: string; atMs: number }

/** Days are compared as texts, which needs years of four digits. */
const yearMax = 9000

/**
 * The dates of a series in their order, after a certain day if one is given. The rule decides about days of the calendar; the clock is read
 * only then, by `instantOfWall`, so that no change of the clocks moves, repeats or drops a date. `count` is left to the caller, who knows how
 * many there were. Of two dates that a zone has at one instant, because it skipped a whole day, only the first is one.
 */
export function* seriesDates(rule: SeriesRule, after = ''): Generator<DateOfSeries, void> {
  const from = Temporal.PlainDate.from(rule.from)
  let lastMs = -Infinity
  for (let step = after > rule.from ? stepBefore(rule, from, Temporal.PlainDate.from(after)) : 0; ; step += rule.every) {
    const days = daysOfStep(rule, from, step)
    if (days.some(({ year }) => year > yearMax)) return
    for (const day of days) {
      const date = day.toString()
      if (rule.until !== undefined && date > rule.until) return
      if (date < rule.from || date <= after) continue
      const wall = `${date}T${rule.time}:00`
      const atMs = Date.parse(instantOfWall(wall, rule.timezone) ?? '')
      if (!(atMs > lastMs)) continue
      lastMs = atMs
      yield { date, wall, atMs }
    }
  }
}

/** A step that has no day after this one, so that the dates of many years need not be counted again. */
function stepBefore({ unit, every }: SeriesRule, from: Temporal.PlainDate, after: Temporal.PlainDate): number {
  const passed = from.until(after, { largestUnit: unit })
  const steps = unit === 'day' ? passed.days : unit === 'week' ? passed.weeks : passed.years * 12 + passed.months
  return Math.max(0, Math.floor(steps / every) - 1) * every
}

/** The days of the step-th day, week or month since the first, in their order. */
function daysOfStep({ unit, on }: SeriesRule, from: Temporal.PlainDate, step: number): Temporal.PlainDate[] {
  if (unit === 'day') return [from.add({ days: step })]
  if (unit === 'week') {
    const monday = from.subtract({ days: from.dayOfWeek - 1 }).add({ weeks: step })
    const chosen = Array.isArray(on) ? on.map((day) => weekdays.indexOf(day)) : [from.dayOfWeek - 1]
    return chosen.toSorted((a, b) => a - b).map((days) => monday.add({ days }))
  }
  const first = from.with({ day: 1 }).add({ months: step })
  if (typeof on === 'object' && !Array.isArray(on)) return [nthWeekday(first, on)]
  const day = on === 'last' ? 31 : typeof on === 'number' ? on : from.day
  return [first.with({ day: Math.min(day, first.daysInMonth) })]
}

function nthWeekday(first: Temporal.PlainDate, { nth, weekday }: { nth: number | 'last'; weekday: (typeof weekdays)[number] }) {
  const toFirst = (weekdays.indexOf(weekday) - (first.dayOfWeek - 1) + 7) % 7
  const day = 1 + toFirst + 7 * (nth === 'last' ? 4 : nth - 1)
  return first.with({ day: day > first.daysInMonth ? day - 7 : day })
}
