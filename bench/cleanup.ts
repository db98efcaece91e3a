type Cleanup = () => Promise<unknown>

const cleanups = new Set<Cleanup>()

/** Registers work that must also happen when a signal ends the run. The returned function removes it again. */
export function registerCleanup(work: Cleanup): () => void {
  cleanups.add(work)
  return () => void cleanups.delete(work)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.allSettled([...cleanups].toReversed().map((work) => work())).then(() => process.exit(130))
  })
}
