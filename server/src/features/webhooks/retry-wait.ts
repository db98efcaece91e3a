const firstWaitMs = 10_000
const retriesMax = 5
const spread = 0.1

/**
 * How long to wait after the nth failed try: 10, 20, 40, 80, 160 s, each up to a tenth more or less, so that an endpoint that comes back
 * is not met by everything at once. Null when there is no try left. `chance` is between 0 and 1.
 */
export function retryWaitMs(tries: number, chance: number): number | null {
  if (tries > retriesMax) return null
  return Math.round(firstWaitMs * 2 ** (tries - 1) * (1 - spread + 2 * spread * chance))
}
