import type { Context as RestateContext } from '@restatedev/restate-sdk'
import type { Job } from './engine.ts'

/**
 * How the engine repeats a run that fails. The wait stays short, so that work goes on soon after an outage of the worker or the database.
 * After about a day the run is ended, not paused: a paused run waits for a person, and PostgreSQL holds the state from which a sweep enqueues
 * the work again.
 */
export const retryPolicy = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 20_000,
  onMaxAttempts: 'kill',
} as const

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const asJson = {
  contentType: 'application/json',
  serialize: (value: unknown) => encoder.encode(JSON.stringify(value)),
  deserialize: (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes)),
}

/**
 * Runs one journaled step and enqueues the jobs it returns. The step may run more than once, so its effects are guarded in PostgreSQL; the
 * jobs are enqueued exactly once.
 */
export async function runStep(run: RestateContext, name: string, work: () => Promise<Job[]>): Promise<void> {
  enqueueAll(run, await run.run(name, work))
}

export function enqueueAll(run: RestateContext, jobs: readonly Job[]): void {
  for (const { service, key, handler, payload, delayMs } of jobs) {
    run.genericSend({
      service,
      method: handler,
      parameter: payload,
      inputSerde: asJson,
      ...(key !== undefined && { key }),
      ...(delayMs ? { delay: delayMs } : {}),
    })
  }
}
