import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { ChannelRef } from '../jobs.ts'

/** From this many sends in progress on, a burst is under way. It counts as over after a short time below it. */
const burstFrom = 200
const calmMs = 500
const waitMsMax = 2_000

const keyOf = ({ channelId, generation }: ChannelRef) => `${channelId}:${generation}`

function createSendTracker() {
  const sends = new Set<string>()
  let lastBurstMs = -Infinity
  const value = {
    has: (ref: ChannelRef) => sends.has(keyOf(ref)),
    track<T>(ref: ChannelRef, send: Promise<T>): Promise<T> {
      sends.add(keyOf(ref))
      if (sends.size >= burstFrom) lastBurstMs = performance.now()
      const done = () => void sends.delete(keyOf(ref))
      send.then(done, done)
      return send
    },
    async waitForQuiet(): Promise<void> {
      const endMs = performance.now() + waitMsMax
      while (performance.now() < Math.min(endMs, lastBurstMs + calmMs)) await sleep(50)
    },
  }
  return { value }
}

/** True while this process waits for the answer to this send: then the platform need not be asked about it. */
export function isInFlight(ctx: Context, ref: ChannelRef): boolean {
  return ctx.resources.get(createSendTracker, ctx).has(ref)
}

export function trackSend<T>(ctx: Context, ref: ChannelRef, send: Promise<T>): Promise<T> {
  return ctx.resources.get(createSendTracker, ctx).track(ref, send)
}

/** Waits until a burst of sends is over, at most two seconds: in a burst the posts themselves come first. */
export function waitForQuiet(ctx: Context): Promise<void> {
  return ctx.resources.get(createSendTracker, ctx).waitForQuiet()
}
