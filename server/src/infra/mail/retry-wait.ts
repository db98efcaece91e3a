const firstWaitMs = 5000
const longestWaitMs = 600_000

/** Exponential backoff: 5, 10, 20 s and so on, up to ten minutes. */
export function retryWaitMs(attempts: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1))
}
