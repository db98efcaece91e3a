import { sleep } from './sleep.ts'
import type { PostEvent, WebhookEvent } from './types.gen.ts'
import { finished, gaveUp, type WaitOptions } from './wait-until-finished.ts'

type Finished = PostEvent['data']

export type FinishedPosts = {
  note: (event: WebhookEvent) => void
  /**
   * Waits to be told that every channel of a post has its result. Takes the uploadId or the requestId; what came before anybody waited is
   * kept, and given once: after a retry the post ends anew. Needs a webhook for `upload.completed`, `upload.partial_failure` and
   * `upload.failed`.
   */
  waitUntilFinished: (id: string, options?: Pick<WaitOptions, 'timeoutMs' | 'signal'>) => Promise<Finished>
}

const endings: ReadonlySet<string> = new Set([...finished].map((status) => `upload.${status}`))

/** The ends of posts nobody has asked for yet, the newest of them, and who waits for one. */
export function createFinishedPosts(keptMax: number): FinishedPosts {
  const kept = new Map<string, Finished>()
  const waiting = new Set<{ id: string; tell: (post: Finished) => void }>()

  function note(event: WebhookEvent): void {
    if (!isEnding(event)) return
    const { data } = event
    const waiters = [...waiting].filter(({ id }) => isAbout(data, id))
    for (const { tell } of waiters) tell(data)
    if (waiters.length > 0) return
    kept.set(data.uploadId, data)
    const [oldest] = kept.keys()
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
  }

  async function waitUntilFinished(id: string, { timeoutMs = 120_000, signal }: WaitOptions = {}): Promise<Finished> {
    const known = [...kept.values()].find((post) => isAbout(post, id))
    if (known) {
      kept.delete(known.uploadId)
      return known
    }
    const { promise, waiter } = createWaiter(id)
    waiting.add(waiter)
    const enough = new AbortController()
    const late = sleep(timeoutMs, signal ? AbortSignal.any([signal, enough.signal]) : enough.signal).then(() => {
      throw gaveUp('wait_timed_out', `No webhook told of the end of post ${id} within ${timeoutMs / 1000} s.`)
    })
    try {
      return await Promise.race([promise, late])
    } finally {
      enough.abort()
      waiting.delete(waiter)
    }
  }

  return { note, waitUntilFinished }
}

function createWaiter(id: string) {
  let tell: (post: Finished) => void = () => {}
  const promise = new Promise<Finished>((done) => (tell = done))
  return { promise, waiter: { id, tell } }
}

function isEnding(event: WebhookEvent): event is PostEvent {
  return endings.has(event.event)
}

function isAbout({ uploadId, requestId }: Finished, id: string): boolean {
  return id === uploadId || id === requestId
}
