import type { QueryOf, ReturnsOf, queues } from '@carillon/contract'
import { rangeEnd } from '../../infra/http/range-end.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { requireQueue } from './manage-queues.ts'
import { isFree, readSlots, slotRange } from './take-slot.ts'

/** The next slots of a queue, and which of them a post on these accounts could have. */
export async function listSlots(
  scope: RequestScope,
  id: string,
  { from, to, free, connection, limit = 20 }: QueryOf<typeof queues.slots>,
): Promise<ReturnsOf<typeof queues.slots>> {
  const queue = await requireQueue(scope, id)
  const possible = slotRange(scope.nowMs)
  const range = {
    fromMs: Math.max(possible.fromMs, from === undefined ? 0 : Date.parse(from)),
    toMs: Math.min(possible.toMs, to === undefined ? Infinity : rangeEnd(to).getTime() - 1),
  }
  const slugs = connection?.split(',') ?? []
  const slots: ReturnsOf<typeof queues.slots>['slots'] = []
  for await (const state of readSlots(scope.tx, queue, range)) {
    const isFreeNow = isFree(state, slugs)
    if (free === 'true' && !isFreeNow) continue
    const { atMs, wall, occupants } = state
    const uploadId = occupants.find(({ isPlaced }) => isPlaced)?.postId ?? null
    slots.push({ at: new Date(atMs).toISOString(), wall, free: isFreeNow, uploadId })
    if (slots.length >= limit) break
  }
  return { timezone: queue.zone, slots }
}
