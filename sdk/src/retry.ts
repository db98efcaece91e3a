import { CarillonError } from './carillon-error.ts'
import { sleep } from './sleep.ts'

export type RetryLimits = {
  /** The maximum number of retries after the first attempt. */
  retries: number
  /** The wait before the first retry. It doubles with every further retry. */
  retryDelayMs: number
}

type RetryTask<Result> = {
  /** Gives the result, or an error that may be worth a retry. */
  attempt: () => Promise<Result | CarillonError>
  shouldRetry: (error: CarillonError) => boolean
  signal: AbortSignal | undefined
}

const backoffMsMax = 10_000
// Longer than the rate limit window of the service. If the server asks for a longer wait, the caller decides whether to wait.
const waitMsMax = 60_000

/** Repeats the attempt until it gives a result, or an error that another attempt would not change. */
export async function retry<Result>(
  { retries, retryDelayMs }: RetryLimits,
  { attempt, shouldRetry, signal }: RetryTask<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    const result = await attempt()
    if (!(result instanceof CarillonError)) return result
    const waitMs = failures < retries && shouldRetry(result) ? computeWaitMs(result, failures, retryDelayMs) : null
    if (waitMs === null) throw result
    await sleep(waitMs, signal)
  }
}

/** Null if the server asks for a longer wait than `waitMsMax`. */
function computeWaitMs({ retryAfterSeconds }: CarillonError, failures: number, retryDelayMs: number): number | null {
  if (retryAfterSeconds === null) return Math.min(retryDelayMs * 2 ** failures, backoffMsMax) * randomBetween(0.5, 1)
  const waitMs = retryAfterSeconds * 1000
  // A random extra wait, so that clients that got the same Retry-After do not all return at the same moment.
  return waitMs > waitMsMax ? null : waitMs + retryDelayMs * randomBetween(0, 1)
}

function randomBetween(low: number, high: number): number {
  return low + Math.random() * (high - low)
}
