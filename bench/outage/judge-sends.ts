import type { Submit } from '../setup/simulator.ts'

export type Sends = {
  /** Calls that the platform received, also those it refused because it was down. */
  asked: number
  /** Posts that exist on the platform. */
  created: number
  /** Posts that the platform carried out more than once. */
  doubled: number
  /** Calls for a post that existed already, which the platform recognised by their key. */
  repeated: number
  /** Refused after the end of the outage, for example because of too many calls. */
  refusedAfter: number
  /** The most posts that one account published within one rate window. */
  perAccountMax: number
}

const carriedOut = new Set(['created', 'dropped_after'])

/** Reads the platform's own record of calls. `windowStarts` are the times at which new rate windows could begin. */
export function judgeSends(submits: readonly Submit[], endedAtMs: number, windowStarts: readonly number[]): Sends {
  const made = submits.filter(({ outcome }) => carriedOut.has(outcome))
  const byText = Map.groupBy(made, ({ text }) => text)
  const windowOf = (atMs: number) => windowStarts.filter((startMs) => startMs <= atMs).length
  const byWindow = Map.groupBy(made, ({ account, atMs }) => `${account} ${windowOf(atMs)}`)
  return {
    asked: submits.length,
    created: byText.size,
    doubled: [...byText.values()].filter((calls) => calls.length > 1).length,
    repeated: submits.filter(({ outcome }) => outcome === 'repeated').length,
    refusedAfter: submits.filter(({ outcome, atMs }) => outcome === 'refused' && atMs > endedAtMs).length,
    perAccountMax: Math.max(0, ...[...byWindow.values()].map((calls) => calls.length)),
  }
}
