import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes } from '@carillon/stack/services'

export type Watched<T> = { result: T; tookMs: number; extraBytes: number }

const everyMs = 50

/** Does some work and tells the most that a process and everything it started took meanwhile, beyond what it had before. */
export function watchFamily<T>(pid: number, work: () => Promise<T>): Promise<Watched<T>> {
  return watch(() => memoryBytes(pid), work)
}

/** The same of the process alone. */
export function watchProcess<T>(pid: number, work: () => Promise<T>): Promise<Watched<T>> {
  const residentBytes = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  return watch(residentBytes, work)
}

async function watch<T>(measure: () => number, work: () => Promise<T>): Promise<Watched<T>> {
  const before = measure()
  // A process that is not there takes no memory, and would pass every test.
  if (before === 0) throw new Error('there is no such process to watch')
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
