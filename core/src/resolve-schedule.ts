import { Temporal } from 'temporal-polyfill'

type ScheduleRequest = { scheduledAt: string; timezone?: string | null | undefined }

type ScheduleProblem =
  | 'schedule_invalid'
  | 'schedule_timezone_missing'
  | 'timezone_invalid'
  | 'schedule_past'
  | 'schedule_too_far'

type Schedule =
  | {
      ok: true
      /** An instant in UTC with milliseconds, or `now` if it is already due. */
      at: string
      /** The requested wall-clock time, if there was no offset. It stays correct when a country changes its time zone rules. */
      wall: string | null
      timezone: string | null
    }
  | { ok: false; code: ScheduleProblem; message: string; path: 'scheduledAt' | 'timezone' }

const pastMsMax = 60_000
const yearsMax = 5

const dateTimePattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Turns the requested time into the instant at which the post is due. */
export function resolveSchedule({ scheduledAt, timezone = null }: ScheduleRequest, nowMs: number): Schedule {
  if (timezone !== null && !isTimezone(timezone)) {
    return refuse('timezone_invalid', `"${timezone}" is not a timezone; use an IANA name such as Europe/Paris.`, 'timezone')
  }
  const parts = dateTimePattern.exec(scheduledAt)
  if (!parts) return refuseFormat(scheduledAt)
  const hasOffset = parts[2] !== undefined
  if (!hasOffset && timezone === null) {
    return refuse(
      'schedule_timezone_missing',
      `"${scheduledAt}" has no offset; add one (such as Z) or give a timezone.`,
      'timezone',
    )
  }
  const instant = hasOffset || timezone === null ? readInstant(scheduledAt) : instantOfWall(scheduledAt, timezone)
  if (instant === null) return refuseFormat(scheduledAt)
  return checkRange({ instant, wall: hasOffset ? null : readWall(scheduledAt), timezone, scheduledAt, nowMs })
}

/**
 * The instant of a wall-clock time. A time that the clock skips in spring is moved forward by the length of the gap; of a time that
 * occurs twice in autumn, the first is used.
 */
export function instantOfWall(wall: string, timezone: string): string | null {
  return valueOrNull(() => {
    const zoned = Temporal.PlainDateTime.from(wall).toZonedDateTime(timezone, { disambiguation: 'compatible' })
    return formatInstant(zoned.toInstant())
  })
}

/** Accepts only IANA names: an offset such as `+02:00` does not define daylight saving time. */
export function isTimezone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  return valueOrNull(() => new Intl.DateTimeFormat('en', { timeZone: name })) !== null
}

type ParsedSchedule = { instant: string; wall: string | null; timezone: string | null; scheduledAt: string; nowMs: number }

function checkRange({ instant, wall, timezone, scheduledAt, nowMs }: ParsedSchedule): Schedule {
  const atMs = Date.parse(instant)
  if (atMs < nowMs - pastMsMax) return refuse('schedule_past', `"${scheduledAt}" is in the past.`, 'scheduledAt')
  if (atMs <= nowMs) return { ok: true, at: 'now', wall: null, timezone }
  const last = new Date(nowMs)
  last.setUTCFullYear(last.getUTCFullYear() + yearsMax)
  if (atMs > last.getTime()) {
    return refuse('schedule_too_far', `"${scheduledAt}" is more than ${yearsMax} years ahead.`, 'scheduledAt')
  }
  return { ok: true, at: instant, wall, timezone }
}

function readInstant(text: string): string | null {
  return valueOrNull(() => formatInstant(Temporal.Instant.from(text)))
}

function readWall(text: string): string | null {
  return valueOrNull(() => Temporal.PlainDateTime.from(text).toString())
}

function formatInstant(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 })
}

function refuseFormat(scheduledAt: string): Schedule {
  const shown = scheduledAt.slice(0, 40)
  return refuse('schedule_invalid', `"${shown}" is not a date and time; write it like 2027-03-01T09:00:00Z.`, 'scheduledAt')
}

function refuse(code: ScheduleProblem, message: string, path: 'scheduledAt' | 'timezone'): Schedule {
  return { ok: false, code, message, path }
}

/** Temporal and Intl reject an invalid value only by throwing a RangeError. */
function valueOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
