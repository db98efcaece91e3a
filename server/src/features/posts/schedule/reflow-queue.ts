import type { ReturnsOf, queues } from '@carillon/contract'
import { isStoppable } from '@carillon/core'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { requireQueue } from '../../queues/manage-queues.ts'
import { isFree, placePost, readSlots, slotRange, timingOf, type SlotState } from '../../queues/take-slot.ts'
import { lockPost } from '../load-post.ts'
import { moveScheduledPost } from './reschedule-post.ts'

type Moved = ReturnsOf<typeof queues.reflow>['moved'][number]

/** Moves the posts of a queue forward into earlier free slots, the soonest post first. Nobody else takes a slot meanwhile. */
export async function reflowQueue(scope: RequestScope, id: string): Promise<Answer<ReturnsOf<typeof queues.reflow>>> {
  const queue = await requireQueue(scope, id, 'update')
  const states = await Array.fromAsync(readSlots(scope.tx, queue, slotRange(scope.nowMs)))
  const moved: Moved[] = []
  for (const [index, state] of states.entries()) {
    const own = state.occupants.find(({ isPlaced }) => isPlaced)
    const earlier = own && states.slice(0, index).find((each) => isFree(each, own.slugs))
    if (!earlier) continue
    const post = await lockMovable(scope, own.postId)
    if (!post || !(await placePost(scope.tx, queue, earlier, own.postId))) continue
    await moveScheduledPost(scope, post, timingOf(queue, earlier))
    moveOccupant(own.postId, state, earlier)
    moved.push({
      uploadId: own.postId,
      from: new Date(state.atMs).toISOString(),
      to: new Date(earlier.atMs).toISOString(),
    })
  }
  return new Answer({ moved }, { subjectId: queue.id })
}

/** The post without its canceled channels, or null if one of its channels is being sent already. */
async function lockMovable(scope: RequestScope, id: string) {
  const { post, channels: all } = await lockPost(scope, id)
  const channels = all.filter(({ state }) => state !== 'canceled')
  return post.status === 'scheduled' && channels.every(({ state }) => isStoppable(state)) ? { post, channels } : null
}

function moveOccupant(postId: string, from: SlotState, to: SlotState): void {
  to.occupants.push(...from.occupants.filter((occupant) => occupant.postId === postId))
  from.occupants = from.occupants.filter((occupant) => occupant.postId !== postId)
}
