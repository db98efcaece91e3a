import type { Context } from '../../../context.ts'

/** Calls to one platform that may be in progress at once from this process; as many as there are sockets to it. */
const slotsMax = 250

type Waiting = { wanted: number; resolve: () => void }

export function createSendSlots() {
  const platforms = new Map<string, { used: number; queue: Waiting[] }>()
  const value = async (platform: string, wanted: number): Promise<() => void> => {
    const slots = platforms.get(platform) ?? { used: 0, queue: [] }
    platforms.set(platform, slots)
    const hasRoomFor = (count: number) => slots.used === 0 || slots.used + count <= slotsMax
    if (slots.queue.length > 0 || !hasRoomFor(wanted)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      slots.queue.push({ wanted, resolve })
      await promise
    } else slots.used += wanted
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      slots.used -= wanted
      for (let next = slots.queue[0]; next && hasRoomFor(next.wanted); next = slots.queue[0]) {
        slots.queue.shift()
        slots.used += next.wanted
        next.resolve()
      }
    }
  }
  return { value }
}

/**
 * Waits until a platform has room for this many calls, and returns the function that frees them. Guards are set only after this, so that no
 * channel is guarded while its call waits in a queue. Each platform has its own slots: a slow one delays only itself.
 */
export function takeSlots(ctx: Context, platform: string, wanted: number): Promise<() => void> {
  return ctx.resources.get(createSendSlots, ctx)(platform, wanted)
}
