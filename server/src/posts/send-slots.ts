/** Calls to one platform that may be under way at once from this process; as many as there are sockets to it. */
const slotsMax = 250

type Waiting = { wanted: number; resolve: () => void }
const platforms = new Map<string, { used: number; queue: Waiting[] }>()

/**
 * Waits until a platform has room for this many calls. Guards are set only then, so that no channel sits guarded and unsent in a queue;
 * and a platform that dawdles keeps nobody waiting but its own.
 */
export async function takeSlots(platform: string, wanted: number): Promise<() => void> {
  const slots = platforms.get(platform) ?? { used: 0, queue: [] }
  platforms.set(platform, slots)
  const hasRoom = () => slots.used === 0 || slots.used + wanted <= slotsMax
  if (slots.queue.length > 0 || !hasRoom()) {
    const { promise, resolve } = Promise.withResolvers<void>()
    slots.queue.push({ wanted, resolve })
    await promise
  } else slots.used += wanted
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    slots.used -= wanted
    for (let next = slots.queue[0]; next && (slots.used === 0 || slots.used + next.wanted <= slotsMax); next = slots.queue[0]) {
      slots.queue.shift()
      slots.used += next.wanted
      next.resolve()
    }
  }
}
