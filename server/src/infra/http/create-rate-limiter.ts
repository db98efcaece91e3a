/** How many requests are left in the current window, and for how long. */
export type RateLimitState = { policy: string; limit: number; remaining: number; resetSeconds: number; exceeded: boolean }

const windowMs = 60_000
const keysMax = 50_000

/** Counts requests by key in fixed windows of a minute, in this process. */
export function createRateLimiter(policy: string, limit: number) {
  const windows = new Map<string, { startedMs: number; used: number }>()
  return (key: string, nowMs: number): RateLimitState => {
    let current = windows.get(key)
    if (!current || nowMs - current.startedMs >= windowMs) {
      if (windows.size >= keysMax) windows.clear()
      current = { startedMs: nowMs, used: 0 }
      windows.set(key, current)
    }
    current.used++
    return {
      policy,
      limit,
      remaining: Math.max(0, limit - current.used),
      resetSeconds: Math.ceil((current.startedMs + windowMs - nowMs) / 1000),
      exceeded: current.used > limit,
    }
  }
}

/** The two headers of the IETF draft and the three older `X-RateLimit` ones. */
export function rateLimitHeaders({ policy, limit, remaining, resetSeconds }: RateLimitState): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetSeconds),
  }
}
