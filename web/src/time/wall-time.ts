import { Temporal } from 'temporal-polyfill'

export type WallTime = {
  /** The instant that the server will choose for it. Only for showing: the wall time itself is sent. */
  at: string
  /** `skipped`: the clocks are set forward over it; `repeated`: it happens twice, and the first is taken. */
  kind: 'usual' | 'skipped' | 'repeated'
}

/** What a wall-clock time such as `2027-03-28T02:30` means in a zone, or null if it is not a time. */
export function readWallTime(zone: string, wall: string): WallTime | null {
  try {
    const plain = Temporal.PlainDateTime.from(wall)
    const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
    const later = plain.toZonedDateTime(zone, { disambiguation: 'later' })
    // Between the two moments of a skipped hour, the server takes the one after it; of a repeated hour, the first.
    const taken = plain.toZonedDateTime(zone, { disambiguation: 'compatible' })
    const at = new Date(taken.epochMilliseconds).toISOString()
    if (earlier.equals(later)) return { at, kind: 'usual' }
    return { at, kind: earlier.toPlainDateTime().equals(plain) ? 'repeated' : 'skipped' }
  } catch {
    return null
  }
}
