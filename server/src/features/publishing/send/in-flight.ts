import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { ChannelRef } from '../channel-ref.ts'

/** From this many sends in progress on, a burst is under way. It counts as over after a short time below it. */
const burstFrom = 200
const calmMs = 500
const waitMsMax = 2_000

const keyOf = ({ channelId, generation }: ChannelRef) => `${channelId}:${generation}`

function createSendTracker() {
  const counts = new Map<string, number>()
  let lastBurstMs = -Infinity
  let idle: PromiseWithResolvers<void> | null = null
  const end = (key: string) => {
    const left = (counts.get(key) ?? 1) - 1
    if (left > 0) counts.set(key, left)
    else counts.delete(key)
    if (counts.size === 0) {
      idle?.resolve()
      idle = null
    }
  }
  const value = {
    has: (ref: ChannelRef) => counts.has(keyOf(ref)),
    track<T>(ref: ChannelRef, send: Promise<T>): Promise<T> {
      const key = keyOf(ref)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (counts.size >= burstFrom) lastBurstMs = performance.now()
      const done = () => end(key)
      send.then(done, done)
      return send
    },
    async waitForQuiet(): Promise<void> {
      const endMs = performance.now() + waitMsMax
      while (performance.now() < Math.min(endMs, lastBurstMs + calmMs)) await sleep(50)
    },
    async waitUntilIdle(timeoutMs: number): Promise<boolean> {
      if (counts.size === 0) return true
      idle ??= Promise.withResolvers<void>()
      const timeout = new AbortController()
      const timedOut = sleep(timeoutMs, false, { signal: timeout.signal }).catch(() => true)
      const isIdle = await Promise.race([idle.promise.then(() => true), timedOut])
      timeout.abort()
      return isIdle
    },
  }
  return { value }
}

/** True while this process waits for the answer to this send, or stores it: then the platform need not be asked about it. */
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

/** Waits until every send of this process has been answered and stored. False when that took longer than `timeoutMs`. */
export function waitForSends(ctx: Context, timeoutMs: number): Promise<boolean> {
  return ctx.resources.get(createSendTracker, ctx).waitUntilIdle(timeoutMs)
}
