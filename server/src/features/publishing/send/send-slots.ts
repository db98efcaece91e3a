import type { Context } from '../../../context.ts'
import type { ChannelRef } from '../channel-ref.ts'

/** Calls to one platform that may be in progress at once from this process; as many as there are sockets to it. */
const slotsMax = 250

type Waiting = { wanted: number; resolve: () => void }
/** Batches that wait, by the workspace that they belong to. The order of the map is the order in which workspaces take turns. */
type Queues = Map<string, Waiting[]>

export function createSendSlots() {
  const platforms = new Map<string, { used: number; queues: Queues }>()
  const value = async (platform: string, owner: string, wanted: number): Promise<() => void> => {
    const slots = platforms.get(platform) ?? { used: 0, queues: new Map() }
    platforms.set(platform, slots)
    const hasRoomFor = (count: number) => slots.used === 0 || slots.used + count <= slotsMax
    if (slots.queues.size > 0 || !hasRoomFor(wanted)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const queue = slots.queues.get(owner) ?? []
      queue.push({ wanted, resolve })
      slots.queues.set(owner, queue)
      await promise
    } else slots.used += wanted
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      slots.used -= wanted
      // The next batch is never passed over because a smaller one would fit, or a large batch could wait for ever.
      for (let next = firstOf(slots.queues); next && hasRoomFor(next.wanted); next = firstOf(slots.queues)) {
        endTurn(slots.queues)
        slots.used += next.wanted
        next.resolve()
      }
    }
  }
  return { value }
}

function firstOf(queues: Queues): Waiting | undefined {
  for (const queue of queues.values()) return queue[0]
  return undefined
}

/** Removes the first batch. Its workspace goes to the end of the line. */
function endTurn(queues: Queues): void {
  for (const [owner, queue] of queues) {
    queue.shift()
    queues.delete(owner)
    if (queue.length > 0) queues.set(owner, queue)
    return
  }
}

/**
 * Waits until a platform has room for these calls, and returns the function that frees them. Guards are set only after this, so that no
 * channel is guarded while its call waits in a queue. Each platform has its own slots: a slow one delays only itself. Workspaces take turns:
 * a workspace with many batches delays another by one batch at most. A batch of several workspaces is mixed fairly already (see `dispatch`).
 */
export function takeSlots(ctx: Context, platform: string, refs: readonly ChannelRef[]): Promise<() => void> {
  const [first] = refs
  const isShared = refs.some(({ workspaceId }) => workspaceId !== first?.workspaceId)
  return ctx.resources.get(createSendSlots, ctx)(platform, isShared ? '' : (first?.workspaceId ?? ''), refs.length)
}
