import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endable } from '../services/process.ts'
import { writeState } from './state.ts'

/** Told after each step, with the time it took. */
export type Report = (step: { name: string; tookMs: number }) => void

export type Parts = {
  running: Endable[]
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  start<T extends Endable>(name: string, work: () => Promise<T>): Promise<T>
  /** The same for what is several processes. */
  startGroup<T extends { daemons: readonly Endable[] }>(name: string, work: () => Promise<T>): Promise<T>
  together<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>
  stopAll(): Promise<void>
}

/** Keeps account of what has been started, on paper too: even a start that is cut short leaves nothing that cannot be found and ended. */
export function createParts(dir: string, report: Report = () => {}): Parts {
  const running: Endable[] = []
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now()
    const result = await work()
    report({ name, tookMs: performance.now() - begin })
    return result
  }
  async function note(parts: readonly Endable[]): Promise<void> {
    running.push(...parts)
    await writeState(dir, null, running)
  }
  return {
    running,
    step,
    start: (name, work) =>
      step(name, async () => {
        const part = await work()
        await note([part])
        return part
      }),
    startGroup: (name, work) =>
      step(name, async () => {
        const group = await work()
        await note(group.daemons)
        return group
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
