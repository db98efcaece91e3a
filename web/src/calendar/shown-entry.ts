import type { CalendarEntry } from '@carillon/sdk'
import { type ShownStatus, shownEntryStatus } from '../posts/shown-status.ts'
import { readClocks, type Clocks } from '../time/clocks.ts'
import { formatTime, type TimeStyle } from '../time/format-time.ts'
import { wallTimeIn } from '../time/zoned-day.ts'

/** An entry with its place in the calendar, computed once: cells must not do it at each rendering. */
export type ShownEntry = CalendarEntry & {
  /** The wall time in the shown zone, `2027-03-28T09:00`. */
  wall: string
  /** The same as the person writes it, `09:00`. */
  time: string
  /** On the clock of the zone in which it was scheduled and on the reader's, if one of them does not show `time`. */
  clocks: Clocks | null
  /** What people are told, which is more than the status of the post. */
  shown: ShownStatus
}

export function showEntry(entry: CalendarEntry, { style, ownZone }: { style: TimeStyle; ownZone: string }): ShownEntry {
  const wall = wallTimeIn(style.zone, entry.at)
  const zone = entry.timezone ?? style.zone
  const isElsewhere = [zone, ownZone].some((each) => each !== style.zone && wallTimeIn(each, entry.at) !== wall)
  return {
    ...entry,
    wall,
    time: formatTime(entry.at, 'time', style),
    shown: shownEntryStatus(entry),
    clocks: isElsewhere ? readClocks(entry.at, { style, zone, ownZone, shape: 'time' }) : null,
  }
}

/** A slot is a day (`2027-03-28`) or an hour of a day (`2027-03-28T09`). */
export type Slot = string

/** Whether a slot is over, so that nothing can be planned for it. `now` is a wall time of the same zone. */
export function isPast(slot: Slot, now: string): boolean {
  return slot < now.slice(0, slot.length)
}

export function groupBySlot(entries: readonly ShownEntry[], by: 'day' | 'hour'): ReadonlyMap<Slot, readonly ShownEntry[]> {
  return Map.groupBy(entries, ({ wall }) => wall.slice(0, by === 'day' ? 10 : 13))
}

/** The days before today, which a list of the current month opens without, and the others. */
export function splitAtToday<T>(days: readonly (readonly [Slot, T])[], today: string) {
  const at = days.findIndex(([day]) => day >= today)
  return at === -1 ? { earlier: days, ahead: [] } : { earlier: days.slice(0, at), ahead: days.slice(at) }
}

/** The wall time after a move to a slot: a new day keeps the time of day, a new hour keeps the minutes. */
export function wallInSlot(slot: Slot, wall: string): string {
  return `${slot}${wall.slice(slot.length)}`
}

/** What is not published yet can be changed. */
export function canEdit({ status }: Pick<CalendarEntry, 'status'>): boolean {
  return status === 'draft' || status === 'scheduled'
}

/** Only what still waits for its time can be moved. */
export function canMove({ status }: Pick<CalendarEntry, 'status'>): boolean {
  return status === 'scheduled'
}
