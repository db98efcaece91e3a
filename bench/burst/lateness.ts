import { histogram, summarize, type Summary } from '../stats.ts'
import { platforms, type Arrival, type Platform } from '../setup/simulator.ts'

export type Lateness = {
  early: number
  all: Summary
  byPlatform: Record<string, Summary & { histogram: Record<string, number> }>
}

const edgesMs = [100, 250, 500, 1000, 2000, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 30_000]

/** How long after its due time each post reached its platform, by the platform's clock. */
export function latenessOf(arrivals: readonly Arrival[], dueAtMs: (arrival: Arrival) => number): Lateness {
  const late = arrivals.map((arrival) => ({ platform: arrival.platform, ms: arrival.atMs - dueAtMs(arrival) }))
  const of = (platform: Platform) => late.filter((each) => each.platform === platform).map(({ ms }) => ms)
  return {
    early: late.filter(({ ms }) => ms < 0).length,
    all: summarize(late.map(({ ms }) => ms)),
    byPlatform: Object.fromEntries(
      platforms.map((platform) => [platform, { ...summarize(of(platform)), histogram: histogram(of(platform), edgesMs) }]),
    ),
  }
}
