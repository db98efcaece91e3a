import { Temporal } from 'temporal-polyfill'

/** From `from` until before `to`, over midnight if `to` is the earlier one. Both are times such as 09:00. */
export type DailyHours = { from: string; to: string }

const minutesOfDay = 1440

/** Is an instant within these hours, on the clocks of this time zone? */
export function isWithinHours({ from, to }: DailyHours, atMs: number, timezone: string): boolean {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone)
  return since(minutesOf(from), hour * 60 + minute) < since(minutesOf(from), minutesOf(to))
}

/** Are all minutes of `inner` in `outer` too? */
export function hoursInclude(outer: DailyHours, inner: DailyHours): boolean {
  const [start, length] = [since(minutesOf(outer.from), minutesOf(inner.from)), since(minutesOf(inner.from), minutesOf(inner.to))]
  return start + length <= since(minutesOf(outer.from), minutesOf(outer.to))
}

/** The day on which an instant falls in this time zone, such as 2026-11-18. */
export function dayIn(timezone: string, atMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDate().toString()
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** The minutes from one time of day to the next occurrence of another. */
function since(from: number, to: number): number {
  return (to - from + minutesOfDay) % minutesOfDay
}
