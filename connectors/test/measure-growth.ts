const pieces = 8

/** A reader whose growth is below this takes linear time. */
export const linearGrowthMax = 3

/**
 * How much longer it takes to read a text as a whole than to read its eight parts one by one: once as long if the time grows with the length,
 * eight times as long if it grows with its square. A text that is read in 50 ms needs no such comparison: 1. Other work on the machine can
 * only add to a time, so each time is the least of several, and the growth the least that was seen.
 */
export function measureGrowth(text: string, read: (text: string) => unknown): number {
  const length = Math.ceil(text.length / pieces)
  const parts = Array.from({ length: pieces }, (_, index) => text.slice(index * length, (index + 1) * length))
  let growth = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 5 && growth >= linearGrowthMax; attempt++) {
    const wholeMs = measureMs(() => read(text))
    if (wholeMs < 50) return 1
    growth = Math.min(growth, wholeMs / measureMs(() => parts.map((part) => read(part))))
  }
  return growth
}

/** The time of some work: the least of several runs. Processor time would be better, but some machines count it in steps of 10 ms. */
function measureMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const beganMs = performance.now()
    work()
    return performance.now() - beganMs
  })
  return Math.min(...runs)
}
