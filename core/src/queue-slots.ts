import { weekdays, type QueueSlot } from '@carillon/contract'
import { Temporal } from 'temporal-polyfill'
import { instantOfWall } from './resolve-schedule.ts'

/** A slot of a queue on a certain day. */
export type SlotOfDay = { slot: QueueSlot; wall: string; atMs: number }

const dayMs = 86_400_000

/** The slots in the order of the week. */
export function sortSlots(slots: readonly QueueSlot[]): QueueSlot[] {
  const order = ({ day, time }: QueueSlot) => `${weekdays.indexOf(day)} ${time}`
  return slots.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

/**
 * The slots of a week from one instant to another, both included, in the order of their times. A wall time that the clock skips or has twice
 * is read as `instantOfWall` reads it. Of two slots that fall on the same instant, because the clock skipped the first, only the first is a slot.
 */
export function* slotsBetween(
  slots: readonly QueueSlot[],
  timezone: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Generator<SlotOfDay, void> {
  const sorted = sortSlots(slots)
  // The day before, because the offset of a zone may have changed in between.
  let date = Temporal.Instant.fromEpochMilliseconds(fromMs - dayMs)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
  let lastMs = -Infinity
  for (let dayStartMs = fromMs - dayMs; dayStartMs <= toMs + 2 * dayMs; dayStartMs += dayMs, date = date.add({ days: 1 })) {
    const day = weekdays[date.dayOfWeek - 1]
    const found = sorted
      .filter((slot) => slot.day === day)
      .flatMap((slot) => {
        const wall = `${date.toString()}T${slot.time}:00`
        const at = instantOfWall(wall, timezone)
        return at === null ? [] : [{ slot, wall, atMs: Date.parse(at) }]
      })
    // A skipped time comes after the gap, and so perhaps after the slot that follows it on the clock.
    for (const each of found.toSorted((a, b) => a.atMs - b.atMs)) {
      if (each.atMs <= lastMs || each.atMs < fromMs || each.atMs > toMs) continue
      lastMs = each.atMs
      yield each
    }
  }
}

/** Whether a post on these accounts may have the slot. */
export function slotTakes({ connections }: QueueSlot, slugs: readonly string[]): boolean {
  return connections === undefined || slugs.every((slug) => connections.includes(slug))
}
