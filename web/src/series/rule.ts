import type { NewSeries, Series } from '@carillon/sdk'

export type Rule = Pick<NewSeries, 'every' | 'unit' | 'on' | 'time' | 'timezone' | 'from' | 'until' | 'count'>
export type Weekday = (typeof weekdays)[number]

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** With a date that falls on each day, to write its name. */
export const dateOfWeekday = (day: Weekday): string => `2024-01-0${weekdays.indexOf(day) + 1}`

/** How often, as people choose it. `weekdays` is weekly on five days. */
type Pattern = 'day' | 'weekdays' | 'week' | 'month'
type MonthDay = 'date' | 'last' | 'weekday'
export type RuleDraft = {
  pattern: Pattern
  every: number
  days: readonly Weekday[]
  monthDay: MonthDay
  time: string
  timezone: string
  from: string
  end: 'never' | 'until' | 'count'
  until: string
  count: number
}

export const workdays: readonly Weekday[] = weekdays.slice(0, 5)

export function weekdayOf(day: string): Weekday {
  const at = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return weekdays[at] ?? 'monday'
}

/** Which of its kind a day is in its month; the fifth is the last one. */
export function nthOf(day: string): 1 | 2 | 3 | 4 | 'last' {
  const nth = Math.ceil(Number(day.slice(8)) / 7)
  return nth === 1 || nth === 2 || nth === 3 || nth === 4 ? nth : 'last'
}

export function emptyRule({ from, time, timezone }: { from: string; time: string; timezone: string }): RuleDraft {
  const days = [weekdayOf(from)]
  return { pattern: 'week', every: 1, days, monthDay: 'date', time, timezone, from, end: 'never', until: '', count: 10 }
}

/** Null while something is missing. */
export function toRule(draft: RuleDraft): Rule | null {
  const { pattern, days, monthDay, time, timezone, from, end, until, count } = draft
  const every = pattern === 'weekdays' ? 1 : draft.every
  if (time === '' || from === '' || timezone === '' || !(every >= 1) || (pattern === 'week' && days.length === 0)) return null
  if ((end === 'until' && until === '') || (end === 'count' && !(count >= 1))) return null
  const ends = { ...(end === 'until' && { until }), ...(end === 'count' && { count }) }
  const common = { every, time, timezone, from, ...ends }
  if (pattern === 'day') return { ...common, unit: 'day' }
  if (pattern === 'weekdays') return { ...common, unit: 'week', on: [...workdays] }
  if (pattern === 'week') return { ...common, unit: 'week', on: [...days] }
  const weekday = { nth: nthOf(from), weekday: weekdayOf(from) }
  return { ...common, unit: 'month', on: monthDay === 'last' ? 'last' : monthDay === 'date' ? Number(from.slice(8)) : weekday }
}

export function fromRule({ every, unit, on, time, timezone, from, until, count }: Series): RuleDraft {
  const days = Array.isArray(on) ? on : [weekdayOf(from)]
  const isWorkdays = days.length === workdays.length && workdays.every((day) => days.includes(day))
  return {
    pattern: unit === 'week' && every === 1 && isWorkdays ? 'weekdays' : unit,
    every,
    days,
    monthDay: on === 'last' ? 'last' : typeof on === 'object' && !Array.isArray(on) ? 'weekday' : 'date',
    time,
    timezone,
    from,
    end: until !== undefined ? 'until' : count !== undefined ? 'count' : 'never',
    until: until ?? '',
    count: count ?? 10,
  }
}
