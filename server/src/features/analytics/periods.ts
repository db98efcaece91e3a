import type { Granularity } from '@carillon/contract'

const dayMs = 86_400_000
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
