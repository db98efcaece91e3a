import { slotsBetween, slotTakes, type SlotOfDay } from '@carillon/core'
import type { Tx } from '../../infra/db/db.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { requireQueue } from './manage-queues.ts'
import { deletePlaces, insertPlace, listOccupants, type Occupant, type ZonedQueue } from './queue.store.ts'

/** A person who has just written a post wants to see it before it is sent. */
const leadMs = 5 * 60_000
const horizonMs = 90 * 86_400_000
/** How many slots are looked at with one question to the database. */
const pageSize = 100

/** A slot and the posts that are scheduled for its time. */
export type SlotState = SlotOfDay & { occupants: Occupant[] }

/** When a post in a slot is published. */
type SlotTiming = { at: Date; wall: string; timezone: string; isNow: false }

type Wish = { queue: string; slugs: readonly string[]; postId: string }

/** The times that a post which asks now can have. */
export function slotRange(nowMs: number): { fromMs: number; toMs: number } {
  return { fromMs: nowMs + leadMs, toMs: nowMs + horizonMs }
}

/**
 * Gives the post the next free slot of a queue, in the transaction that stores the post. Free are slots that no post of the queue has, and in
 * which none of the accounts has another post. What decides between requests that ask at the same time is the key of the table.
 */
export async function takeSlot(scope: RequestScope, { queue: name, slugs, postId }: Wish): Promise<SlotTiming> {
  const { tx, principal, nowMs } = scope
  const queue = await requireQueue(scope, name, 'share')
  await deletePlaces(tx, principal.workspaceId, postId)
  for await (const state of readSlots(tx, queue, slotRange(nowMs)))
    if (isFree(state, slugs, postId) && (await placePost(tx, queue, state, postId))) return timingOf(queue, state)
  throw problem('queue_full')
}

/** The slots of a queue in a range of time, with the posts that are scheduled for them. */
export async function* readSlots(tx: Tx, queue: ZonedQueue, range: { fromMs: number; toMs: number }): AsyncGenerator<SlotState> {
  const key = { workspaceId: queue.workspace_id, id: queue.id }
  const slots = slotsBetween(queue.slots, queue.zone, range)
  for (;;) {
    const page = nextSlots(slots)
    if (page.length === 0) return
    const occupants = Map.groupBy(
      await listOccupants(
        tx,
        key,
        page.map(({ atMs }) => atMs),
      ),
      ({ atMs }) => atMs,
    )
    for (const slot of page) yield { ...slot, occupants: occupants.get(slot.atMs) ?? [] }
  }
}

function nextSlots(slots: Generator<SlotOfDay, void>): SlotOfDay[] {
  const page: SlotOfDay[] = []
  while (page.length < pageSize) {
    const { value } = slots.next()
    if (!value) break
    page.push(value)
  }
  return page
}

/** Whether a post on these accounts can have the slot. Without accounts: whether no post of the queue has it. */
export function isFree({ slot, occupants }: SlotState, slugs: readonly string[], postId?: string): boolean {
  return (
    slotTakes(slot, slugs) &&
    occupants.every((other) => other.postId === postId || !(other.isPlaced || other.slugs.some((slug) => slugs.includes(slug))))
  )
}

export function placePost(tx: Tx, queue: ZonedQueue, { wall }: SlotOfDay, postId: string): Promise<boolean> {
  return insertPlace(tx, {
    workspace_id: queue.workspace_id,
    queue_id: queue.id,
    timezone: queue.zone,
    wall,
    post_id: postId,
  })
}

export function timingOf({ zone }: ZonedQueue, { atMs, wall }: SlotOfDay): SlotTiming {
  return { at: new Date(atMs), wall, timezone: zone, isNow: false }
}
