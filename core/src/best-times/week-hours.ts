import { weekdays, type Weekday } from '@carillon/contract'
import { Temporal } from 'temporal-polyfill'

/** An hour of the week on the clocks of a time zone. */
export type WeekHour = { day: Weekday; hour: number }

const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * Reads instants as hours of the week in a time zone. An hour that the clock has twice is one hour. The offset of a day is looked up once,
 * because a lookup for each of thousands of posts is a measurable cost; on a day with a clock change it is looked up for each instant.
 */
export function weekHours(timezone: string): (atMs: number) => WeekHour {
  // A database keeps microseconds.
  const offsetAt = (atMs: number) =>
    Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(timezone).offsetNanoseconds / 1_000_000
  const offsets = new Map<number, number | null>()
  const offsetOfDay = (dayNumber: number) => {
    const known = offsets.get(dayNumber)
    if (known !== undefined) return known
    const [first, next] = [offsetAt(dayNumber * dayMs), offsetAt((dayNumber + 1) * dayMs)]
    const offset = first === next ? first : null
    offsets.set(dayNumber, offset)
    return offset
  }
  return (atMs) => {
    const wallMs = atMs + (offsetOfDay(Math.floor(atMs / dayMs)) ?? offsetAt(atMs))
    // 1970-01-01 was a Thursday, three days after a Monday.
    const day = weekdays[(Math.floor(wallMs / dayMs) + 3) % 7] ?? 'monday'
    return { day, hour: Math.floor((wallMs % dayMs) / hourMs) }
  }
}
