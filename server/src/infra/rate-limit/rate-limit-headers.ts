import type { RateLimitState } from './create-rate-limiter.ts'

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
