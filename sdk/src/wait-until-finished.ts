import { CarillonError } from './carillon-error.ts'
import type { CallOptions } from './operation.ts'
import { sleep } from './sleep.ts'
import type { PostStatus, PostStatusView } from './types.gen.ts'

export type WaitOptions = Omit<CallOptions, 'idempotencyKey' | 'timeoutMs'> & {
  /** How long to wait in all; two minutes unless given. */
  timeoutMs?: number
}

type Status = (requestId: string, options?: CallOptions) => Promise<PostStatusView>

/** Nothing more happens to a post in one of these, unless somebody asks for it. */
export const finished: ReadonlySet<PostStatus> = new Set<PostStatus>(['completed', 'partial_failure', 'failed'])
const firstPollMs = 250
const pollMsMax = 5_000

/** Asks until every channel has its result. Takes the uploadId or the requestId; the answer may well be `failed`, that is no error here. */
export function waitUntilFinished(status: Status) {
  return async function wait(id: string, { timeoutMs = 120_000, ...options }: WaitOptions = {}): Promise<PostStatusView> {
    const endMs = Date.now() + timeoutMs
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, pollMsMax)) {
      const seen = await status(id, options)
      if (finished.has(seen.status)) return seen
      // Nothing happens to a draft until somebody publishes it.
      if (seen.status === 'draft') throw gaveUp('wait_pointless', `Post ${id} is a draft; publish it first.`)
      const leftMs = endMs - Date.now()
      if (leftMs <= 0) throw gaveUp('wait_timed_out', `Post ${id} is still ${seen.status} after ${timeoutMs / 1000} s.`)
      await sleep(Math.min(pollMs, leftMs), options.signal)
    }
  }
}

export function gaveUp(code: 'wait_timed_out' | 'wait_pointless', message: string): CarillonError {
  const isPointless = code === 'wait_pointless'
  return new CarillonError({ code, message, status: 0, action: isPointless ? 'fix_request' : 'wait', retryable: !isPointless })
}
