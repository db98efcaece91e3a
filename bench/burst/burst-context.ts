import type { Bare } from '../bare/bare-worker.ts'
import type { BenchStack } from '../setup/bench-stack.ts'
import type { EventReceiver } from '../setup/start-event-receiver.ts'
import type { ConnectedByPlatform } from '../setup/connect-accounts.ts'

/** What every round of a bare worker uses. */
export type BareContext = {
  bench: BenchStack
  connected: ConnectedByPlatform
  bare: Bare
  /** Posts in a burst, each with one channel on every platform. */
  posts: number
  leadMs: number
}

/** What every round of a burst uses. */
export type BurstContext = BareContext & { receiver: EventReceiver }

/** A whole second that is at least `leadMs` ahead, so that everything is enqueued before it. */
export function dueAfter(leadMs: number): number {
  return Math.ceil((Date.now() + leadMs) / 1000) * 1000
}

export function pidsOf({ bench, bare }: BareContext): Record<string, number> {
  const { stack } = bench
  return {
    api: stack.servers.api?.pid ?? 0,
    worker: stack.servers.worker?.pid ?? 0,
    postgres: stack.postgres.pid,
    restate: stack.restate.pid,
    simulator: stack.simulator.pid,
    bare: bare.pid,
  }
}
