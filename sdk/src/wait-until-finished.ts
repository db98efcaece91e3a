import { CarillonError } from './carillon-error.ts'
import type { CallOptions } from './operation.ts'
import { sleep } from './sleep.ts'
import type { PostStatus, PostStatusView } from './types.gen.ts'

export type WaitOptions = Omit<CallOptions, 'idempotencyKey' | 'timeoutMs'> & {
  /** The total time to wait. Default: two minutes. */
  timeoutMs?: number
}

type FetchStatus = (requestId: string, options?: CallOptions) => Promise<PostStatusView>

/** A post in one of these statuses changes again only after a new request, such as a retry. */
export const finishedStatuses: ReadonlySet<PostStatus> = new Set<PostStatus>(['completed', 'partial_failure', 'failed'])
const firstPollMs = 250
const pollMsMax = 5_000

/**
 * Makes the method `content.waitUntilFinished`, which polls a post until every channel has its result. It takes the uploadId or the
 * requestId. A post that ends as `failed` is a normal result, not an error.
 */
export function waitUntilFinished(fetchStatus: FetchStatus) {
  return async function wait(id: string, { timeoutMs = 120_000, ...options }: WaitOptions = {}): Promise<PostStatusView> {
    const endMs = Date.now() + timeoutMs
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, pollMsMax)) {
      const post = await fetchStatus(id, options)
      if (finishedStatuses.has(post.status)) return post
      // A draft stays a draft until it is published by another request.
      if (post.status === 'draft') throw waitError('wait_pointless', `Post ${id} is a draft; publish it first.`)
      const leftMs = endMs - Date.now()
      if (leftMs <= 0) throw waitError('wait_timed_out', `Post ${id} is still ${post.status} after ${timeoutMs / 1000} s.`)
      await sleep(Math.min(pollMs, leftMs), options.signal)
    }
  }
}

export function waitError(code: 'wait_timed_out' | 'wait_pointless', message: string): CarillonError {
  const isPointless = code === 'wait_pointless'
  return new CarillonError({ code, message, status: 0, action: isPointless ? 'fix_request' : 'wait', retryable: !isPointless })
}
