import { type QueryOf, type ReturnsOf, queues } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { rangeEnd } from '../../infra/http/serve-file.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeQueue, createQueue, getQueue, getQueues, removeQueue, requireQueue } from './manage-queues.ts'
import { isFree, readSlots, slotRange } from './take-slot.ts'

export function queueRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, queues.list, (call) => getQueues(call))
  serve(app, ctx, queues.create, (call) => createQueue(call, call.body))
  serve(app, ctx, queues.get, (call) => getQueue(call, call.params.id))
  serve(app, ctx, queues.update, (call) => changeQueue(call, call.params.id, call.body))
  serve(app, ctx, queues.remove, (call) => removeQueue(call, call.params.id))
  serve(app, ctx, queues.slots, (call) => listSlots(call, call.params.id, call.query))
}

/** The next slots of a queue, and which of them a post on these accounts could have. */
async function listSlots(
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
