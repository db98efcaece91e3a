/** Waits, unless the caller gives up first. */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((done, fail) => {
    const giveUp = () => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      done()
    }, ms)
    if (signal?.aborted) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
}
