/** Runs at most `width` tasks at once; the others wait in order. */
export function createQueue(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // The slot goes directly to the next task, so a newer one cannot take it.
      if (next) next()
      else running--
    }
  }
}
