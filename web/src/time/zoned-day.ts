import { Temporal } from 'temporal-polyfill'

/** The day of an instant in a zone, as `2027-03-28`. */
export function dayIn(zone: string, instant: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** Today in a zone, as `2027-03-28`. */
export function todayIn(zone: string): string {
  return Temporal.Now.plainDateISO(zone).toString()
}

/** The wall-clock time of now in a zone, as `2027-03-28T09:00`. */
export function nowIn(zone: string): string {
  return Temporal.Now.plainDateTimeISO(zone).toString({ smallestUnit: 'minute' })
}

/** The wall-clock time of an instant in a zone, as `2027-03-28T09:00`: the form in which a schedule is sent to the server. */
export function wallTimeIn(zone: string, instant: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
}

/** The days of the weeks that a month's page shows, from the first day of its first week. `weekStart` is 1 for Monday, 7 for Sunday. */
export function monthDays(month: string, weekStart = 1): string[] {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  const last = first.add({ days: first.daysInMonth - 1 })
  const begin = weekBegin(first, weekStart)
  const count = begin.until(weekBegin(last, weekStart)).days + 7
  return Array.from({ length: count }, (_, at) => begin.add({ days: at }).toString())
}

/** The seven days of the week that contains a day. */
export function weekDays(day: string, weekStart = 1): string[] {
  const begin = weekBegin(Temporal.PlainDate.from(day), weekStart)
  return Array.from({ length: 7 }, (_, at) => begin.add({ days: at }).toString())
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The same day of another month, or that month's last day where it is shorter. */
export function addMonths(day: string, months: number): string {
  return Temporal.PlainDate.from(day).add({ months }).toString()
}

/** The instant at which a day begins in a zone. */
function dayStart(zone: string, day: string): string {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant().toString()
}

/** From the beginning of the first of these days to the end of the last, which is not part of it. */
export function spanOfDays(zone: string, days: readonly string[]): { from: string; to: string } {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a view of the calendar shows at least one day')
  return { from: dayStart(zone, first), to: dayStart(zone, addDays(last, 1)) }
}

export function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

function weekBegin(day: Temporal.PlainDate, weekStart: number): Temporal.PlainDate {
  return day.subtract({ days: (day.dayOfWeek - weekStart + 7) % 7 })
}
