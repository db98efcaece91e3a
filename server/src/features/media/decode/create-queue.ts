/** Lets `width` works run at once; the others wait their turn. */
export function createQueue(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed on, so nobody can slip in between.
      if (next) next()
      else running--
    }
  }
}
