import { instantOfWall } from '@carillon/core'
import { browserZone, formatTime, zoneCity, type TimeStyle } from '../../time/format-time.ts'
import { wallTimeIn } from '../../time/zoned-day.ts'
import type { When } from '../state/compose-state.ts'

export type TimeFacts = {
  /** "Mon, 28 Mar, 09:00", in the zone of the post. */
  there: string
  city: string
  /** The same moment for the reader, if their clock shows another time. */
  here: string | null
  /** gap: the clock skips this time; twice: it shows it twice and the first is meant. */
  oddity: 'gap' | 'twice' | null
}

/** What a wall-clock time means, written in the person's style; null while it is incomplete. */
export function timeFacts({ wall, zone }: When, style: TimeStyle): TimeFacts | null {
  const instant = wall === '' ? null : instantOfWall(wall, zone)
  if (instant === null) return null
  const reader = browserZone()
  const later = new Date(Date.parse(instant) + 3_600_000).toISOString()
  const isSameClock = wallTimeIn(reader, instant) === wallTimeIn(zone, instant)
  return {
    there: formatTime(instant, 'dayAndTime', { ...style, zone }),
    city: zoneCity(zone),
    here: isSameClock ? null : formatTime(instant, 'dayAndTime', { ...style, zone: reader }),
    oddity: wallTimeIn(zone, instant) !== wall ? 'gap' : wallTimeIn(zone, later) === wall ? 'twice' : null,
  }
}

/** The next full hour in a zone, which leaves at least half an hour. */
export function nextHour(zone: string, nowMs: number): string {
  const hourMs = 3_600_000
  const at = new Date(Math.ceil((nowMs + hourMs / 2) / hourMs) * hourMs)
  return wallTimeIn(zone, at.toISOString())
}
