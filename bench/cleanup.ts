type Cleanup = () => Promise<unknown>

const cleanups = new Set<Cleanup>()
let requestStop: (() => void) | undefined

/** Registers work that must also happen when a signal ends the run. The returned function removes it again. */
export function registerCleanup(work: Cleanup): () => void {
  cleanups.add(work)
  return () => void cleanups.delete(work)
}

/** The first signal asks the scenario to end early and to report; a second one ends the run at once. */
export function endEarlyOnSignal(stop: () => void): void {
  requestStop = stop
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (requestStop) {
      requestStop()
      requestStop = undefined
      return
    }
    void Promise.allSettled([...cleanups].toReversed().map((work) => work())).then(() => process.exit(130))
  })
}
