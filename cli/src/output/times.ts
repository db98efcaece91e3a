import { UsageError } from '../cli-error.ts'

/** A wall time as a person would write it: 2027-03-28 09:00. Without a zone it is that of this machine. */
export function writeTime(instant: string, timezone: string | null): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...(timezone !== null && { timeZone: timezone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`
}

const timePattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\s*(Z|[+-]\d\d:?\d\d))?(?:\s+([A-Za-z][\w/+-]*))?$/

/** Reads `2027-03-28 09:00`, with an offset or with the name of a zone behind it. A wall time has no offset; its zone may be missing. */
export function readTime(text: string, zone: string | null): { scheduledAt: string; timezone: string | null } {
  const found = timePattern.exec(text.trim())
  if (!found)
    throw new UsageError(
      `"${text}" is not a time. Write it as 2027-03-28 09:00, with --zone Europe/Berlin or an offset such as 2027-03-28T09:00+02:00.`,
    )
  const [, day = '', time = '', offset = '', named = null] = found
  if (named !== null && zone !== null && named !== zone) throw new UsageError(`--at names the zone ${named}, and --zone ${zone}.`)
  return { scheduledAt: `${day}T${time}${offset}`, timezone: named ?? zone }
}

export function hasOffset(scheduledAt: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(scheduledAt)
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }

/** Reads `90m`, `2h30m` or `1d`. */
export function readDuration(text: string, option: string): number {
  if (!/^(?:\d+[dhms])+$/.test(text))
    throw new UsageError(`--${option} takes a duration such as 90m, 2h30m or 1d, not "${text}".`)
  const parts = text.split(/(?<=[dhms])/)
  return parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (unitMs[part.slice(-1)] ?? 0), 0)
}
