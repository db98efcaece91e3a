const pieces = 8

/** A reader whose growth is below this takes linear time. */
export const linearGrowthMax = 3

/**
 * How much longer it takes to read a text as a whole than to read its eight parts one by one: once as long if the time grows with the length,
 * eight times as long if it grows with its square. A text that is read in 50 ms needs no such comparison, which would be inexact: 1. So a
 * slow machine does not fail a test.
 */
export function measureGrowth(text: string, read: (text: string) => unknown): number {
  const wholeMs = measureMs(() => read(text))
  if (wholeMs < 50) return 1
  const length = Math.ceil(text.length / pieces)
  const parts = Array.from({ length: pieces }, (_, index) => text.slice(index * length, (index + 1) * length))
  return wholeMs / measureMs(() => parts.map((part) => read(part)))
}

/** The time of some work: the least of several runs, so that other work on the machine counts less. Some machines count processor time in steps of 10 ms. */
function measureMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const beganMs = performance.now()
    work()
    return performance.now() - beganMs
  })
  return Math.min(...runs)
}
