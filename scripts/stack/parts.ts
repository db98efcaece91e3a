import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Running } from '../services/process.ts'
import { writeState } from './state.ts'

/** Told after each step, with the time it took. */
export type Report = (step: { name: string; tookMs: number }) => void

export type Parts = {
  running: Running[]
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  start<T extends Running>(name: string, work: () => Promise<T>): Promise<T>
  together<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>
  stopAll(): Promise<void>
}

/** Keeps account of what has been started, on paper too: even a start that is cut short leaves nothing that cannot be found and ended. */
export function createParts(dir: string, report: Report = () => {}): Parts {
  const running: Running[] = []
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now()
    const result = await work()
    report({ name, tookMs: performance.now() - begin })
    return result
  }
  return {
    running,
    step,
    start: (name, work) =>
      step(name, async () => {
        const part = await work()
        running.push(part)
        await writeState(dir, null, running)
        return part
      }),
    async together(works) {
      // All must have come to an end before a failure is told, or the cleaning up would miss one that is still starting.
      await Promise.allSettled(works)
      return Promise.all(works)
    },
    async stopAll() {
      for (const part of running.toReversed()) await part.stop()
      await rm(join(dir, 'stack.json'), { force: true })
    },
  }
}
