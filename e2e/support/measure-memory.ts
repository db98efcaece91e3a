import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes } from '@carillon/stack/services'

export type MemoryMeasurement<T> = { result: T; tookMs: number; extraBytes: number }

const everyMs = 50

/** Does some work and measures the peak memory of a process and its children meanwhile, above what they used before. */
export function measureProcessTree<T>(pid: number, work: () => Promise<T>): Promise<MemoryMeasurement<T>> {
  return measureWhile(() => memoryBytes(pid), work)
}

/** The same for the process alone, without its children. */
export function measureProcess<T>(pid: number, work: () => Promise<T>): Promise<MemoryMeasurement<T>> {
  const residentBytes = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  return measureWhile(residentBytes, work)
}

async function measureWhile<T>(measure: () => number, work: () => Promise<T>): Promise<MemoryMeasurement<T>> {
  const before = measure()
  // A process that does not exist uses no memory, and would pass every test.
  if (before === 0) throw new Error('there is no such process to measure')
  let most = before
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      most = Math.max(most, measure())
      await sleep(everyMs)
    }
  })()
  const beganMs = performance.now()
  try {
    const result = await work()
    return { result, tookMs: performance.now() - beganMs, extraBytes: most - before }
  } finally {
    isDone = true
    await watching
  }
}
