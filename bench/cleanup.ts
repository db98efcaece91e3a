type Work = () => Promise<unknown>

const works = new Set<Work>()

/** Remembers what must be ended even when the run itself is ended by a signal; gives a way to forget it. */
export function cleanUpWith(work: Work): () => void {
  works.add(work)
  return () => void works.delete(work)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.allSettled([...works].toReversed().map((work) => work())).then(() => process.exit(130))
  })
}
