import { formatTime, zoneCity, type TimeStyle } from './format-time.ts'
import { dayIn, wallTimeIn } from './zoned-day.ts'

/** A moment as the clock of its own zone shows it, and the clock of the reader. */
export type Clocks = {
  there: string
  city: string
  /** Null if the reader's clock shows the same. It has the day only where that is another one. */
  here: string | null
}

type ClockStyle = {
  /** How the reader writes times. Its zone is not used. */
  style: TimeStyle
  /** The zone in which the time was chosen. */
  zone: string
  /** The zone of the reader. */
  ownZone: string
  shape: 'time' | 'dayAndTime'
}

export function readClocks(at: string, { style, zone, ownZone, shape }: ClockStyle): Clocks {
  const there = formatTime(at, shape, { ...style, zone })
  // Most posts are in the zone of their reader, and a calendar asks for a thousand.
  const isSame = zone === ownZone || wallTimeIn(zone, at) === wallTimeIn(ownZone, at)
  if (isSame) return { there, city: zoneCity(zone), here: null }
  const isSameDay = dayIn(zone, at) === dayIn(ownZone, at)
  const here = formatTime(at, isSameDay ? 'time' : 'dayAndTime', { ...style, zone: ownZone })
  return { there, city: zoneCity(zone), here }
}
