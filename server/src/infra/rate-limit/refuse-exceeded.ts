import { problem } from '../problem/problem.ts'
import type { RateLimitState } from './create-rate-limiter.ts'

/** Throws `rate_limited` if a limit was exceeded. */
export function refuseExceeded({ exceeded, resetSeconds }: RateLimitState): void {
  if (!exceeded) return
  throw problem('rate_limited', {
    retryAfterSeconds: resetSeconds,
    message: `Too many requests; the next window starts in ${resetSeconds} s.`,
  })
}
