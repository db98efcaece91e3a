import { CarillonError } from './carillon-error.ts'
import { sleep } from './sleep.ts'

export type Patience = {
  /** How often an attempt is repeated at most. */
  retries: number
  /** The wait before the first repeat; it doubles from there. */
  retryDelayMs: number
}

type Repeated<Answer> = {
  /** Gives the answer, or the error that may be worth another attempt. */
  attempt: () => Promise<Answer | CarillonError>
  isWorthRepeating: (error: CarillonError) => boolean
  signal: AbortSignal | undefined
}

const backoffMsMax = 10_000
// Longer than the service's own window: who is told to wait more than this should decide that for himself.
const waitMsMax = 60_000

/** Tries until there is an answer, or an error that another attempt would not change. */
export async function repeat<Answer>(
  { retries, retryDelayMs }: Patience,
  { attempt, isWorthRepeating, signal }: Repeated<Answer>,
): Promise<Answer> {
  for (let failed = 0; ; failed++) {
    const outcome = await attempt()
    if (!(outcome instanceof CarillonError)) return outcome
    const waitMs = failed < retries && isWorthRepeating(outcome) ? waitFor(outcome, failed, retryDelayMs) : null
    if (waitMs === null) throw outcome
    await sleep(waitMs, signal)
  }
}

function waitFor({ retryAfterSeconds }: CarillonError, failed: number, retryDelayMs: number): number | null {
  if (retryAfterSeconds === null) return Math.min(retryDelayMs * 2 ** failed, backoffMsMax) * between(0.5, 1)
  const waitMs = retryAfterSeconds * 1000
  // A little later than told, and not all clients at once.
  return waitMs > waitMsMax ? null : waitMs + retryDelayMs * between(0, 1)
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low)
}
