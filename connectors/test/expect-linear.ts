import { expect } from 'vitest'

const pieces = 8

/**
 * Expects that the time to read a text grows with its length and not with its square. A text that is read in 50 ms needs no more proof. A slow
 * machine may need longer, so then the whole text is compared with its eight parts read one by one: linear work takes the same time for
 * both, quadratic work eight times as long for the whole.
 */
export function expectLinear(text: string, read: (text: string) => unknown): void {
  const wholeMs = measureCpuMs(() => read(text))
  if (wholeMs < 50) return
  const length = Math.ceil(text.length / pieces)
  const parts = Array.from({ length: pieces }, (_, index) => text.slice(index * length, (index + 1) * length))
  const partsMs = measureCpuMs(() => parts.map((part) => read(part)))
  expect(wholeMs / partsMs, `${wholeMs} ms for the whole text, ${partsMs} ms for its parts`).toBeLessThan(3)
}

/** The processor time of some work, in milliseconds: the least of several runs, so that other work on the machine counts less. */
function measureCpuMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}
