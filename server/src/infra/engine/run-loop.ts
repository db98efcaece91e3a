import type { Logger } from 'pino'

export type LoopOptions = {
  name: string
  log: Logger
  everyMs: number
  /** While nothing happens in the installation, the loop may rest for longer. */
  idle?: { everyMs: number; isIdle(): boolean }
  /** A pass that takes longer is abandoned, so that one call without an answer cannot stop the loop. */
  deadlineMs: number
  /** Does some work; true means there may be more at once. */
  work(): Promise<boolean>
}

/** What the health check needs to know about a loop. Times are of `performance.now()`, which no change of the clock moves. */
export type LoopStatus = {
  name: string
  everyMs: number
  deadlineMs: number
  startedAtMs: number
  lastSuccessAtMs: number | null
  /** Passes that failed or were abandoned. */
  failedPasses: number
  abandonedPasses: number
}

export type Loop = {
  readonly status: LoopStatus
  wake(): void
  /** Starts no further pass and waits for the current one, at most until its deadline. */
  stop(): Promise<void>
}

/**
 * Runs `work` at least every `everyMs` and whenever woken, one pass at a time. After a failure the next pass waits, longer after each one.
 * An abandoned pass may still end later, beside the next pass: everything a pass does must be safe beside another worker's pass anyway.
 */
export function runLoop({ name, log, everyMs, idle, deadlineMs, work }: LoopOptions): Loop {
  const status: LoopStatus = {
    name,
    everyMs,
    deadlineMs,
    startedAtMs: performance.now(),
    lastSuccessAtMs: null,
    failedPasses: 0,
    abandonedPasses: 0,
  }
  let isStopped = false
  let isWoken = false
  let rest = Promise.withResolvers<void>()
  const loop = async () => {
    let failures = 0
    while (!isStopped) {
      isWoken = false
      let hasMore = false
      try {
        hasMore = await withinDeadline(work(), deadlineMs)
        failures = 0
        status.lastSuccessAtMs = performance.now()
      } catch (error) {
        failures++
        status.failedPasses++
        if (error instanceof DeadlineExceeded) {
          status.abandonedPasses++
          log.error(
            { loop: name, deadlineMs, abandonedPasses: status.abandonedPasses },
            'a pass of a loop took too long; abandoned',
          )
        } else {
          log.error({ err: error, loop: name, failures }, 'a pass of a loop failed; it runs again')
        }
      }
      if (isStopped) return
      if (hasMore || isWoken) continue
      const restMs = idle?.isIdle() ? idle.everyMs : everyMs
      const timer = setTimeout(() => rest.resolve(), failures === 0 ? restMs : retryWaitMs(failures, everyMs))
      await rest.promise
      clearTimeout(timer)
      rest = Promise.withResolvers<void>()
    }
  }
  const done = loop()
  return {
    status,
    wake() {
      isWoken = true
      rest.resolve()
    },
    async stop() {
      isStopped = true
      rest.resolve()
      await done
    },
  }
}

/** A loop that waits for a second pass after a failed one is not late yet. */
const loopMsMin = 60_000

/** How old the last successful pass of a loop may be before the loop counts as stopped. */
export function loopMsMax({ everyMs, deadlineMs }: Pick<LoopStatus, 'everyMs' | 'deadlineMs'>): number {
  return Math.max(loopMsMin, 2 * everyMs + deadlineMs)
}

function retryWaitMs(failures: number, everyMs: number): number {
  return Math.min(500 * 2 ** Math.min(failures, 4), Math.max(everyMs, 2000))
}

export class DeadlineExceeded extends Error {}

export async function withinDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(new DeadlineExceeded(`not done after ${deadlineMs} ms`)), deadlineMs)
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
