type Cleanup = () => Promise<unknown>

const cleanups = new Set<Cleanup>()

/** Remembers what must be ended even when the run itself is ended by a signal; gives a way to forget it. */
export function registerCleanup(work: Cleanup): () => void {
  cleanups.add(work)
  return () => void cleanups.delete(work)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.allSettled([...cleanups].toReversed().map((work) => work())).then(() => process.exit(130))
  })
}
