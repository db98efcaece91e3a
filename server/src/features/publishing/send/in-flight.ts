import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { ChannelRef } from '../channel-ref.ts'
import type { LoadedChannel } from '../open-channel.ts'
import type { Result } from '../settle/result.ts'
import type { SendLease } from './send-lease.ts'

/** From this many sends in progress on, a burst is under way. It counts as over after a short time below it. */
const burstFrom = 200
const calmMs = 500
const waitMsMax = 2_000
/** A burst that lasts longer is the usual load: waiting for its end would let everything else fall behind without a limit. */
const burstMsMax = 15_000

/**
 * A channel that this process has guarded, until its result is stored. The engine may lose a run between any two steps and repeat it; then
 * the call goes on, or its result is returned again, instead of asking the platform about a send of which everything is known here.
 */
export type HeldSend = {
  ref: ChannelRef
  loaded: LoadedChannel
  lease: SendLease
  /** Frees the places that the batch of this channel takes. */
  release(): void
  /** Ends when there is a result; null before the call begins. */
  done: Promise<void> | null
  result: Result | null
  isStoring: boolean
}

const keyOf = ({ channelId, generation, epoch }: ChannelRef) => `${channelId}:${generation}:${epoch}`

function createSendTracker() {
  const counts = new Map<string, number>()
  const held = new Map<string, HeldSend>()
  let [burstStartMs, lastBurstMs] = [-Infinity, -Infinity]
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
    has(ref: ChannelRef): boolean {
      const send = held.get(keyOf(ref))
      return counts.has(keyOf(ref)) || (send !== undefined && send.result?.kind !== 'unknown')
    },
    held,
    track<T>(ref: ChannelRef, send: Promise<T>): Promise<T> {
      const key = keyOf(ref)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (counts.size >= burstFrom) {
        const nowMs = performance.now()
        if (nowMs > lastBurstMs + calmMs) burstStartMs = nowMs
        lastBurstMs = nowMs
      }
      const done = () => end(key)
      send.then(done, done)
      return send
    },
    async waitForQuiet(): Promise<void> {
      const endMs = Math.min(performance.now() + waitMsMax, burstStartMs + burstMsMax)
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
  return { value, close: async () => held.clear() }
}

/** True while this process waits for the answer to this send, or has it and stores it: then the platform need not be asked about it. */
export function isInFlight(ctx: Context, ref: ChannelRef): boolean {
  return ctx.resources.get(createSendTracker, ctx).has(ref)
}

export function trackSend<T>(ctx: Context, ref: ChannelRef, send: Promise<T>): Promise<T> {
  return ctx.resources.get(createSendTracker, ctx).track(ref, send)
}

/** Keeps a channel whose guard this process has just set. */
export function holdSend(ctx: Context, send: HeldSend): void {
  ctx.resources.get(createSendTracker, ctx).held.set(keyOf(send.ref), send)
}

export function findHeldSend(ctx: Context, ref: ChannelRef): HeldSend | undefined {
  return ctx.resources.get(createSendTracker, ctx).held.get(keyOf(ref))
}

export function heldSends(ctx: Context): HeldSend[] {
  return [...ctx.resources.get(createSendTracker, ctx).held.values()]
}

/** Their results are stored, or are not known. */
export function dropSends(ctx: Context, refs: readonly ChannelRef[]): void {
  const { held } = ctx.resources.get(createSendTracker, ctx)
  for (const ref of refs) held.delete(keyOf(ref))
}

/**
 * Waits until a burst of sends is over, at most two seconds, and not at all in a burst that has lasted for 15 seconds: in a burst the posts
 * themselves come first.
 */
export function waitForQuiet(ctx: Context): Promise<void> {
  return ctx.resources.get(createSendTracker, ctx).waitForQuiet()
}

/** Waits until every send of this process has been answered and stored. False when that took longer than `timeoutMs`. */
export function waitForSends(ctx: Context, timeoutMs: number): Promise<boolean> {
  return ctx.resources.get(createSendTracker, ctx).waitUntilIdle(timeoutMs)
}
