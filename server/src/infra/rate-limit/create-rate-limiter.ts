import type { Context } from '../../context.ts'
import { problem } from '../problem/problem.ts'
import { reserveRequests } from './request-window.store.ts'

/** How many requests are left in the current window, and for how long. */
export type RateLimitState = { policy: string; limit: number; remaining: number; resetSeconds: number; exceeded: boolean }

export type RateLimiter = {
  /** Counts a request. It waits for the database only when this process has used up what it reserved. */
  count(subject: string): RateLimitState | Promise<RateLimitState>
  /** The same without counting. */
  peek(subject: string): RateLimitState
}

type Window = {
  startedMs: number
  /** What this process may still allow without asking. */
  allowance: number
  /** What this process allowed before its first reservation, which reports it. */
  unreported: number
  hasReserved: boolean
  /** What is left of the limit, apart from this process's allowance. */
  unreserved: number
  isUsedUp: boolean
  pending: Promise<void> | null
}

const windowMs = 60_000
const windowsMax = 50_000

/**
 * Limits requests in windows of a minute, for all processes together. A process allows the first hundredth of the limit on its own, so that
 * callers with few requests cost no statement. After that it reserves a twentieth of the limit at a time, before it is needed.
 */
export function createRateLimiter(ctx: Context, policy: string, limit: number): RateLimiter {
  const free = Math.floor(limit / 100)
  const slice = Math.max(1, Math.floor(limit / 20))
  const unused: Window = {
    startedMs: 0,
    allowance: free,
    unreserved: limit - free,
    unreported: 0,
    hasReserved: false,
    isUsedUp: false,
    pending: null,
  }
  // In the order in which the windows started. If there are too many, the oldest is dropped; what it reserved stays counted in the database.
  const windows = new Map<string, Window>()

  const find = (subject: string, nowMs: number): Window => {
    const known = windows.get(subject)
    if (known && nowMs - known.startedMs < windowMs) return known
    windows.delete(subject)
    const [oldest] = windows.keys()
    if (windows.size >= windowsMax && oldest !== undefined) windows.delete(oldest)
    const opened = { ...unused, startedMs: nowMs }
    windows.set(subject, opened)
    return opened
  }

  const reserve = async (subject: string, window: Window): Promise<void> => {
    const nowMs = ctx.nowMs()
    const { unreported, startedMs } = window
    try {
      const { granted, used, startedAt } = await reserveRequests(ctx.db.system, {
        key: `${policy} ${limit} ${subject}`,
        limit,
        unreported,
        slice,
        startedAt: new Date(startedMs),
        now: new Date(nowMs),
        windowMs,
      })
      window.unreported = 0
      window.hasReserved = true
      window.allowance += granted
      window.unreserved = Math.max(0, limit - used)
      window.isUsedUp = granted === 0
      window.startedMs = startedAt.getTime()
    } catch (err) {
      // Without the database hardly any request succeeds. A limit that cannot be read must not refuse those that do.
      ctx.log.warn({ err, policy }, 'requests are limited by this process alone while the database is away')
      window.allowance += slice
    } finally {
      window.pending = null
    }
  }

  const stateOf = (window: Window, nowMs: number, exceeded: boolean): RateLimitState => ({
    policy,
    limit,
    remaining: exceeded ? 0 : window.allowance + window.unreserved,
    resetSeconds: Math.max(1, Math.ceil((window.startedMs + windowMs - nowMs) / 1000)),
    exceeded,
  })

  const count = (subject: string): RateLimitState | Promise<RateLimitState> => {
    const nowMs = ctx.nowMs()
    const window = find(subject, nowMs)
    if (window.allowance === 0) {
      if (window.isUsedUp) return stateOf(window, nowMs, true)
      window.pending ??= reserve(subject, window)
      return window.pending.then(() => count(subject))
    }
    window.allowance--
    if (!window.hasReserved) window.unreported++
    else if (window.allowance < slice / 4 && !window.isUsedUp) window.pending ??= reserve(subject, window)
    return stateOf(window, nowMs, false)
  }

  const peek = (subject: string) => {
    const nowMs = ctx.nowMs()
    const window = windows.get(subject)
    if (window && nowMs - window.startedMs < windowMs) return stateOf(window, nowMs, window.allowance === 0 && window.isUsedUp)
    return { policy, limit, remaining: limit, resetSeconds: windowMs / 1000, exceeded: false }
  }

  return { count, peek }
}

/** The two headers of the IETF draft and the three older `X-RateLimit` ones. */
export function rateLimitHeaders({ policy, limit, remaining, resetSeconds }: RateLimitState): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=60`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  }
}

/** Throws `rate_limited` if a limit was exceeded. */
export function refuseExceeded({ exceeded, resetSeconds }: RateLimitState): void {
  if (!exceeded) return
  throw problem('rate_limited', {
    retryAfterSeconds: resetSeconds,
    message: `Too many requests; the next window starts in ${resetSeconds} s.`,
  })
}
