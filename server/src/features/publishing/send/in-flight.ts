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
  const settling = new Set<Promise<void>>()
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
    trackSettling(work: Promise<void>): void {
      settling.add(work)
      const done = () => void settling.delete(work)
      work.then(done, done)
    },
    async waitForSends(waitMs: number): Promise<boolean> {
      const endMs = performance.now() + waitMs
      while (sends.size + settling.size > 0 && performance.now() < endMs) await sleep(20)
      return sends.size + settling.size === 0
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

/** Work that stores the answer to a send after its run has ended. A process that stops waits for it. */
export function trackSettling(ctx: Context, work: Promise<void>): void {
  ctx.resources.get(createSendTracker, ctx).trackSettling(work)
}

/** Waits until no send and no settling is in progress, at most `waitMs`. False if some still were. */
export function waitForSends(ctx: Context, waitMs: number): Promise<boolean> {
  return ctx.resources.get(createSendTracker, ctx).waitForSends(waitMs)
}
