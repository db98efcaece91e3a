import { instantOfWall } from '@carillon/core'
import { readClocks, type Clocks } from '../../time/clocks.ts'
import type { TimeStyle } from '../../time/format-time.ts'
import { addDays, wallTimeIn } from '../../time/zoned-day.ts'
import type { When } from '../state/compose-state.ts'

type TimeFacts = {
  /** The instant that is meant. */
  at: string
  clocks: Clocks
  /** gap: the clock skips this time; twice: it shows it twice and the first is meant. */
  oddity: 'gap' | 'twice' | null
}

/** What a wall-clock time means, written in the person's style; null while it is incomplete. */
export function timeFacts({ wall, zone }: When, { style, ownZone }: { style: TimeStyle; ownZone: string }): TimeFacts | null {
  const at = wall === '' ? null : instantOfWall(wall, zone)
  if (at === null) return null
  const later = new Date(Date.parse(at) + 3_600_000).toISOString()
  return {
    at,
    clocks: readClocks(at, { style, zone, ownZone, shape: 'dayAndTime' }),
    oddity: wallTimeIn(zone, at) !== wall ? 'gap' : wallTimeIn(zone, later) === wall ? 'twice' : null,
  }
}

const morning = '09:00'

/** The time to propose in a zone: the next full hour, which leaves at least half an hour, or the next morning if nobody would be awake then. */
export function nextHour(zone: string, nowMs: number): string {
  const hourMs = 3_600_000
  const at = new Date(Math.ceil((nowMs + hourMs / 2) / hourMs) * hourMs)
  const wall = wallTimeIn(zone, at.toISOString())
  const [day = '', time = ''] = wall.split('T')
  if (time < '08:00') return `${day}T${morning}`
  return time > '21:00' ? `${addDays(day, 1)}T${morning}` : wall
}
