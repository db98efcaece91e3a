import { sleep } from './sleep.ts'
import type { PostEvent, WebhookEvent } from './types.gen.ts'
import { finishedStatuses, waitError, type WaitOptions } from './wait-until-finished.ts'

type FinishedPost = PostEvent['data']

export type FinishedPosts = {
  /** Records an event. Events that do not finish a post are ignored. */
  record: (event: WebhookEvent) => void
  /**
   * Waits for the webhook event that says that every channel of a post has its result. Takes the uploadId or the requestId. An event that
   * arrived before the call is kept and returned once: a post that is retried finishes again, with another event. Needs a webhook for
   * `upload.completed`, `upload.partial_failure` and `upload.failed`.
   */
  waitUntilFinished: (id: string, options?: Pick<WaitOptions, 'timeoutMs' | 'signal'>) => Promise<FinishedPost>
}

const finishingEvents: ReadonlySet<string> = new Set([...finishedStatuses].map((status) => `upload.${status}`))

/** Matches the events of finished posts with the callers that wait for them. Keeps at most `keptMax` events without a caller. */
export function createFinishedPosts(keptMax: number): FinishedPosts {
  const kept = new Map<string, FinishedPost>()
  const waiters = new Set<{ id: string; resolve: (post: FinishedPost) => void }>()

  function record(event: WebhookEvent): void {
    if (!isFinishingEvent(event)) return
    const { data } = event
    const matching = [...waiters].filter(({ id }) => hasId(data, id))
    for (const { resolve } of matching) resolve(data)
    if (matching.length > 0) return
    kept.set(data.uploadId, data)
    const [oldest] = kept.keys()
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
  }

  async function waitUntilFinished(id: string, { timeoutMs = 120_000, signal }: WaitOptions = {}): Promise<FinishedPost> {
    const known = [...kept.values()].find((post) => hasId(post, id))
    if (known) {
      kept.delete(known.uploadId)
      return known
    }
    const { promise, waiter } = createWaiter(id)
    waiters.add(waiter)
    const done = new AbortController()
    const timeout = sleep(timeoutMs, signal ? AbortSignal.any([signal, done.signal]) : done.signal).then(() => {
      throw waitError('wait_timed_out', `No webhook reported the end of post ${id} within ${timeoutMs / 1000} s.`)
    })
    try {
      return await Promise.race([promise, timeout])
    } finally {
      done.abort()
      waiters.delete(waiter)
    }
  }

  return { record, waitUntilFinished }
}

function createWaiter(id: string) {
  let resolve: (post: FinishedPost) => void = () => {}
  const promise = new Promise<FinishedPost>((resolvePromise) => (resolve = resolvePromise))
  return { promise, waiter: { id, resolve } }
}

function isFinishingEvent(event: WebhookEvent): event is PostEvent {
  return finishingEvents.has(event.event)
}

function hasId({ uploadId, requestId }: FinishedPost, id: string): boolean {
  return id === uploadId || id === requestId
}
