/** A wall time with its time zone, as a person would write it: 2027-03-28 09:00 (Europe/Berlin). */
export function writeTime(instant: string, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')} (${timezone})`
}

const withOffset = /(?:Z|[+-]\d\d:?\d\d)$/i

/** The fields of a request for a time: a wall time is one of the workspace, a time with an offset is an instant. */
export function scheduleFields(time: string, timezone: string): { scheduledAt: string; timezone: string } {
  const text = time.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  // The zone is kept beside an instant too, because answers show its wall time.
  return { scheduledAt: withOffset.test(text) ? text : text.replace(/\s.*$/s, ''), timezone }
}
