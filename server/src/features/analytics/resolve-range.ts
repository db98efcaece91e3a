import type { Granularity } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import type { FinishedFilter } from '../posts/reading/find-finished.ts'

/** 1970-01-01 was a Thursday, three days after a Monday. */
const mondayShift = 3

/** The first day of the period that contains a day (YYYY-MM-DD, UTC). */
export function periodOf(day: string, granularity: Granularity): string {
  if (granularity === 'day') return day
  if (granularity === 'month') return `${day.slice(0, 7)}-01`
  const dayNumber = Date.parse(day) / dayMs
  return dayOf((dayNumber - ((dayNumber + mondayShift) % 7)) * dayMs)
}

/** The first days of all periods from `from` to `to`. Returns at most `max + 1` of them, so that the caller sees if there are too many. */
export function periodsBetween(
  { from, to }: { from: string; to: string },
  { granularity, max }: { granularity: Granularity; max: number },
): string[] {
  const periods: string[] = []
  for (let at = periodOf(from, granularity); at <= to && periods.length <= max; at = nextPeriod(at, granularity)) periods.push(at)
  return periods
}

function nextPeriod(start: string, granularity: Granularity): string {
  const startMs = Date.parse(start)
  // 32 days after the first of a month is always in the next one.
  if (granularity === 'month') return periodOf(dayOf(startMs + 32 * dayMs), 'month')
  return dayOf(startMs + (granularity === 'week' ? 7 : 1) * dayMs)
}

export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

const dayMs = 86_400_000
const defaultDays = 30

export type RangeQuery = { from?: string; to?: string; platform?: string; label?: string }
export type Range = { from: string; to: string; filter: FinishedFilter }

/**
 * What a request covers; by default the last thirty days (UTC), including today. A date includes its whole day; an instant is exact, and
 * the periods are then those that it touches.
 */
export function resolveRange({ principal, nowMs }: Pick<RequestScope, 'principal' | 'nowMs'>, query: RangeQuery): Range {
  const toMs = query.to === undefined ? startOf(nowMs) : Date.parse(query.to)
  const fromMs = query.from === undefined ? startOf(toMs) - (defaultDays - 1) * dayMs : Date.parse(query.from)
  const beforeMs = query.to === undefined || isDate(query.to) ? startOf(toMs) + dayMs : toMs + 1
  if (fromMs < 0) throw invalidField('from', 'Must be 1970-01-01 or later.')
  if (fromMs >= beforeMs) throw invalidField('from', 'Must not be later than `to`.')
  return {
    from: dayOf(fromMs),
    to: dayOf(toMs),
    filter: {
      workspaceId: principal.workspaceId,
      from: new Date(fromMs),
      before: new Date(beforeMs),
      platforms: query.platform?.split(',') ?? null,
      labels: query.label?.split(',') ?? null,
    },
  }
}

export type Comparison = 'previous' | 'year'

/** What a range is compared with: as much time directly before it, or the same days of the year before. */
export function rangeBefore({ from, before }: { from: Date; before: Date }, compare: Comparison): { from: Date; before: Date } {
  const lengthMs = before.getTime() - from.getTime()
  if (compare === 'previous') return { from: new Date(from.getTime() - lengthMs), before: from }
  const start = new Date(from)
  start.setUTCFullYear(from.getUTCFullYear() - 1)
  return { from: start, before: new Date(start.getTime() + lengthMs) }
}

export function invalidField(path: string, message: string) {
  return problem('request_invalid', { details: [{ path, message }] })
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}

function startOf(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs
}
