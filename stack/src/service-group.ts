import type { StoppableProcess } from '../services/process.ts'
import { removeState, writeState } from './state.ts'

/** Called after each step with the time it took. */
export type Report = (step: { name: string; tookMs: number }) => void

/** The services of one stack, in the order they started. */
export type ServiceGroup = {
  running: StoppableProcess[]
  /** Runs and reports a step that starts no process. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  start<T extends StoppableProcess>(name: string, work: () => Promise<T>): Promise<T>
  /** Starts a service that consists of several processes. */
  startAll<T extends { daemons: readonly StoppableProcess[] }>(name: string, work: () => Promise<T>): Promise<T>
  waitForAll<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>
  stop(): Promise<void>
}

/** Starts services and writes each started process to the state file at once, so that they can be stopped even if the start is interrupted. */
export function createServiceGroup(dir: string, report: Report = () => {}): ServiceGroup {
  const running: StoppableProcess[] = []
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now()
    const result = await work()
    report({ name, tookMs: performance.now() - begin })
    return result
  }
  async function add(processes: readonly StoppableProcess[]): Promise<void> {
    running.push(...processes)
    await writeState(dir, null, running)
  }
  return {
    running,
    step,
    start: (name, work) =>
      step(name, async () => {
        const service = await work()
        await add([service])
        return service
      }),
    startAll: (name, work) =>
      step(name, async () => {
        const service = await work()
        await add(service.daemons)
        return service
      }),
    async waitForAll(works) {
      // All must have ended before a failure is thrown, or the clean-up would miss a service that is still starting.
      await Promise.allSettled(works)
      return Promise.all(works)
    },
    async stop() {
      for (const service of running.toReversed()) await service.stop()
      await removeState(dir)
    },
  }
}
